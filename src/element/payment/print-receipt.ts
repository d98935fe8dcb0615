/** Prints the checkout without the page around it, which would add pages. The browser's dialog also saves it as PDF. */
export function printReceipt({currentTarget}: Event): void {
  const root = currentTarget instanceof Element ? currentTarget.getRootNode() : null
  if (!(root instanceof ShadowRoot)) return
  // As in jsdom.
  if (!('adoptedStyleSheets' in document)) return print()
  const {host} = root
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    '@media print{body :not([data-printing],[data-printing] *,:has([data-printing])){display:none!important}}',
  )
  host.toggleAttribute('data-printing', true)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  addEventListener(
    'afterprint',
    () => {
      host.toggleAttribute('data-printing', false)
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter(other => other !== sheet)
    },
    {once: true},
  )
  print()
}
