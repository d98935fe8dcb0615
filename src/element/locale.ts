/**
 * The locale that numbers and dates are written in: what was asked for, the language of the place where the element
 * stands (through shadow roots), the browser's. What `Intl` does not know is passed over.
 */
export function localeOf(element: Element, wanted: string | null): string | undefined {
  return [wanted, nearestLang(element), navigator.language].find(isKnown) ?? undefined
}

function nearestLang(element: Element): string | null {
  const holder = element.closest('[lang]')
  if (holder) return holder.getAttribute('lang')
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? nearestLang(root.host) : null
}

function isKnown(locale: string | null): boolean {
  try {
    return !!locale && Intl.NumberFormat.supportedLocalesOf(locale).length > 0
  } catch {
    return false
  }
}
