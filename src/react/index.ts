'use client'
/**
 * The door `crypto-checkout/react`: a thin component over the element, for React 18 and 19. What is a property of the
 * element is a prop, what is an event is a prop named after it (`checkout-paid`: `onCheckoutPaid`), and the ref is the
 * element. It is registered when the first component is on a page, never by the import. The plain tag is typed as well.
 *
 * Props are set as properties, which both versions of React leave to us; a server writes no more than the charge's id.
 * An event that was told before React listened is not lost: `ref.current.checkout` tells the same.
 */
import {
  createElement,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  type DetailedHTMLProps,
  type HTMLAttributes,
  type RefObject,
} from 'react'
import {
  register,
  type CheckoutAttributes,
  type CheckoutEventMap,
  type CheckoutListeners,
  type CryptoCheckout as CryptoCheckoutElement,
} from '../element/index.js'

export type {CryptoCheckoutElement}

/** What each prop is when it is not given; `fetch` is left alone then. */
const defaults = {
  chargeId: null,
  endpoint: null,
  token: null,
  asset: null,
  network: null,
  locale: null,
  theme: 'auto',
  qr: 'address',
  logos: 'remote',
  autoRedirect: false,
  forget: false,
  modal: false,
  open: false,
} satisfies Partial<CryptoCheckoutElement>

type Settings = Partial<Pick<CryptoCheckoutElement, keyof typeof defaults | 'fetch'>>

interface Listeners {
  onCheckoutChanged?: Listener<'checkout-changed'>
  onCheckoutPaid?: Listener<'checkout-paid'>
  onCheckoutUnderpaid?: Listener<'checkout-underpaid'>
  onCheckoutExpired?: Listener<'checkout-expired'>
  onCheckoutCancelled?: Listener<'checkout-cancelled'>
  onCheckoutError?: Listener<'checkout-error'>
  onCheckoutClosed?: Listener<'checkout-closed'>
}

type Listener<Name extends keyof CheckoutEventMap> = ((event: CheckoutEventMap[Name]) => void) | undefined

/** Children are shown until the script has loaded; those with a `slot` have a place in the checkout. */
export interface CryptoCheckoutProps
  extends Settings, Listeners, Omit<HTMLAttributes<HTMLElement>, keyof Settings> {}

type Tag = CheckoutAttributes &
  CheckoutListeners &
  DetailedHTMLProps<HTMLAttributes<CryptoCheckoutElement>, CryptoCheckoutElement> & {
    class?: string | undefined
  }

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'crypto-checkout': Tag
    }
  }
}

/** Before the browser paints, and before the element's first request; a server has neither. */
const useCommit = typeof window === 'undefined' ? useEffect : useLayoutEffect

export const CryptoCheckout = forwardRef<CryptoCheckoutElement | null, CryptoCheckoutProps>(
  function CryptoCheckout(props, ref) {
    const {chargeId, endpoint, token, asset, network, locale, theme, qr, logos, ...others} = props
    const {autoRedirect, forget, modal, open, fetch, ...listening} = others
    const {onCheckoutChanged, onCheckoutPaid, onCheckoutUnderpaid, onCheckoutExpired, ...more} = listening
    const {onCheckoutCancelled, onCheckoutError, onCheckoutClosed, className, ...rest} = more

    const element = useRef<CryptoCheckoutElement>(null)
    useImperativeHandle<CryptoCheckoutElement | null, CryptoCheckoutElement | null>(
      ref,
      () => element.current,
    )
    useCommit(register, [])
    useSetting(element, 'chargeId', chargeId)
    useSetting(element, 'endpoint', endpoint)
    useSetting(element, 'token', token)
    useSetting(element, 'asset', asset)
    useSetting(element, 'network', network)
    useSetting(element, 'locale', locale)
    useSetting(element, 'theme', theme)
    useSetting(element, 'qr', qr)
    useSetting(element, 'logos', logos)
    useSetting(element, 'autoRedirect', autoRedirect)
    useSetting(element, 'forget', forget)
    useSetting(element, 'modal', modal)
    useSetting(element, 'open', open)
    useCommit(() => {
      if (fetch && element.current) element.current.fetch = fetch
    }, [fetch])
    useListener(element, 'checkout-changed', onCheckoutChanged)
    useListener(element, 'checkout-paid', onCheckoutPaid)
    useListener(element, 'checkout-underpaid', onCheckoutUnderpaid)
    useListener(element, 'checkout-expired', onCheckoutExpired)
    useListener(element, 'checkout-cancelled', onCheckoutCancelled)
    useListener(element, 'checkout-error', onCheckoutError)
    useListener(element, 'checkout-closed', onCheckoutClosed)

    // React 18 knows no `className` on custom elements.
    return createElement('crypto-checkout', {
      ...rest,
      ...(className !== undefined && {class: className}),
      ...(chargeId && {'charge-id': chargeId}),
      ref: element,
    })
  },
)

type Held = RefObject<CryptoCheckoutElement | null>

/** Set only when the prop changes, so that a dialog which the customer closed is not opened again by a new render. */
function useSetting<Name extends keyof typeof defaults>(
  element: Held,
  name: Name,
  value: Settings[Name],
): void {
  useCommit(() => {
    if (element.current) Object.assign(element.current, {[name]: value ?? defaults[name]})
  }, [value])
}

function useListener<Name extends keyof CheckoutEventMap>(
  element: Held,
  name: Name,
  listener: Listener<Name>,
): void {
  useCommit(() => {
    const target = element.current
    if (!target || !listener) return undefined
    target.addEventListener(name, listener)
    return () => target.removeEventListener(name, listener)
  }, [listener])
}
