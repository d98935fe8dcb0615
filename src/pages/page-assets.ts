/** What the hosted page contains in its HTML. The policy allows these texts by their hashes. */

/**
 * Takes the client token from the fragment, which no server sees, and removes it from the address bar. The history entry
 * keeps it, because phones discard the page while a wallet is open, and then load it again. A second link for the same
 * charge only changes the fragment of an open page. The title says in the list of tabs that the payment is complete.
 */
export const pageScript = `
const checkout = document.querySelector('crypto-checkout')
const takeToken = () => {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token) history.replaceState({token}, '', location.pathname + location.search)
  if (history.state?.token) checkout.token = history.state.token
}
takeToken()
addEventListener('hashchange', takeToken)
addEventListener('checkout-paid', () => { document.title = '✓ ' + document.title })
`

/** Marks a style sheet for the minifier of the build. */
const css = String.raw

/**
 * The colours are those of the element, so that a style sheet which sets its properties changes both. The element decides
 * about dark mode in the same way.
 */
export const pageStyle = css`
  :root {
    --page: #f4f5f7;
    --page-accent: var(--checkout-accent, #1f4fd8);
    --page-text: var(--checkout-text, #151a21);
    --page-muted: var(--checkout-muted, #576170);
    --page-on-accent: var(--checkout-on-accent, #fff);
    background: var(--page);
    color-scheme: light;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --page: #0d0f13;
      --page-accent: var(--checkout-accent, #8fb0ff);
      --page-text: var(--checkout-text, #f0f2f5);
      --page-muted: var(--checkout-muted, #a3adba);
      --page-on-accent: var(--checkout-on-accent, #0b1733);
      color-scheme: dark;
    }
  }
  * {
    box-sizing: border-box;
  }
  body {
    color: var(--page-text);
    display: flex;
    flex-direction: column;
    font: medium/1.5 var(--checkout-font, system-ui, sans-serif);
    gap: 24px;
    margin: 0 auto;
    max-inline-size: 768px;
    min-block-size: 100vh;
    min-block-size: 100dvh;
    overflow-wrap: anywhere;
    padding: clamp(16px, 5vw, 48px) clamp(12px, 4vw, 24px) 16px;
  }
  .shop {
    align-items: center;
    display: flex;
    gap: 12px;
    padding-inline: 4px;
  }
  .shop img {
    block-size: 40px;
    inline-size: auto;
    max-inline-size: 50%;
    object-fit: contain;
  }
  .shop h1 {
    font-size: 1.125em;
    line-height: inherit;
    -webkit-box-orient: vertical;
    display: -webkit-box;
    -webkit-line-clamp: 2;
    letter-spacing: -0.01em;
    margin: 0;
    overflow: hidden;
  }
  h1,
  h2 {
    font-size: 1.25em;
    font-weight: 600;
    line-height: 1.3;
    margin: 0 4px;
  }
  footer {
    font-size: 0.9375em;
    margin-block-start: auto;
    padding-inline: 4px;
  }
  footer a {
    color: var(--page-muted);
    display: inline-block;
    padding-block: 10px;
    text-underline-offset: 3px;
  }
  :focus-visible {
    outline: 3px solid var(--page-accent);
    outline-offset: 2px;
  }
  @media print {
    :root {
      background: none;
    }
    body {
      font-size: small;
      gap: 8px;
      max-inline-size: none;
      min-block-size: 0;
      padding: 0;
    }
    footer a::after {
      content: ' ' attr(href);
    }
  }
`

/** The element, and what is shown until it is there or without a script. */
export const elementStyle = css`
  main p {
    color: var(--page-muted);
    margin: 0 4px 16px;
  }
  noscript .button {
    background: var(--page-accent);
    border-radius: 10px;
    color: var(--page-on-accent);
    display: inline-block;
    font-weight: 600;
    padding: 12px 16px;
    text-decoration: none;
  }
  crypto-checkout:not(:defined) {
    display: flow-root;
    min-block-size: 41.5em;
  }
  .hint {
    animation: show-hint 0s 8s forwards;
    visibility: hidden;
  }
  @keyframes show-hint {
    to {
      visibility: visible;
    }
  }
  @media (scripting: none) {
    crypto-checkout {
      display: none !important;
    }
  }
`
