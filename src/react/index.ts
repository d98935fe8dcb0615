'use client'
/**
 * Entry point `crypto-checkout/react`: a component over the element, for React 18 and 19. The element's properties are
 * props, its events are props too (`checkout-paid`: `onCheckoutPaid`), and the ref is the element. The element is
 * registered when the first component mounts, not by the import. The plain tag is typed as well.
 *
 * Props are set as properties by this component, because React 18 cannot. On a server only `charge-id` is rendered. Events
 * that fired before React added its listeners are not repeated; `ref.current.checkout` has the same data.
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

/** The values of omitted props. An omitted `fetch` leaves the property unchanged. */
const defaults = {
  chargeId: null,
  endpoint: null,
  token: null,
  asset: null,
  network: null,
  locale: null,
  theme: 'auto',
  qr: 'address',
  logos: 'bundled',
  wallets: 'auto',
  autoRedirect: false,
  forget: false,
  modal: false,
  open: false,
} satisfies Partial<CryptoCheckoutElement>

type Properties = Partial<Pick<CryptoCheckoutElement, keyof typeof defaults | 'fetch'>>

interface Listeners {
  onCheckoutChanged?: Listener<'checkout-changed'>
  onCheckoutPaid?: Listener<'checkout-paid'>
  onCheckoutUnderpaid?: Listener<'checkout-underpaid'>
  onCheckoutExpired?: Listener<'checkout-expired'>
  onCheckoutCancelled?: Listener<'checkout-cancelled'>
  onCheckoutSent?: Listener<'checkout-sent'>
  onCheckoutError?: Listener<'checkout-error'>
  onCheckoutStep?: Listener<'checkout-step'>
  onCheckoutClosed?: Listener<'checkout-closed'>
}

type Listener<Name extends keyof CheckoutEventMap> = ((event: CheckoutEventMap[Name]) => void) | undefined

/** Children show until the script has loaded; those with a `slot` are slotted. */
export interface CryptoCheckoutProps
  extends Properties, Listeners, Omit<HTMLAttributes<HTMLElement>, keyof Properties> {}

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

/** Layout effects run before the element's first request. React 18 warns about them on a server. */
const useIsomorphicLayoutEffect = typeof window === 'undefined' ? useEffect : useLayoutEffect

export const CryptoCheckout = forwardRef<CryptoCheckoutElement | null, CryptoCheckoutProps>(
  function CryptoCheckout(props, ref) {
    const {
      chargeId,
      endpoint,
      token,
      asset,
      network,
      locale,
      theme,
      qr,
      logos,
      wallets,
      autoRedirect,
      forget,
      modal,
      open,
      fetch,
      onCheckoutChanged,
      onCheckoutPaid,
      onCheckoutUnderpaid,
      onCheckoutExpired,
      onCheckoutCancelled,
      onCheckoutSent,
      onCheckoutError,
      onCheckoutStep,
      onCheckoutClosed,
      className,
      ...htmlProps
    } = props

    const element = useRef<CryptoCheckoutElement>(null)
    useImperativeHandle<CryptoCheckoutElement | null, CryptoCheckoutElement | null>(
      ref,
      () => element.current,
    )
    useIsomorphicLayoutEffect(register, [])
    useProperty(element, 'chargeId', chargeId)
    useProperty(element, 'endpoint', endpoint)
    useProperty(element, 'token', token)
    useProperty(element, 'asset', asset)
    useProperty(element, 'network', network)
    useProperty(element, 'locale', locale)
    useProperty(element, 'theme', theme)
    useProperty(element, 'qr', qr)
    useProperty(element, 'logos', logos)
    useProperty(element, 'wallets', wallets)
    useProperty(element, 'autoRedirect', autoRedirect)
    useProperty(element, 'forget', forget)
    useProperty(element, 'modal', modal)
    useProperty(element, 'open', open)
    useIsomorphicLayoutEffect(() => {
      if (fetch && element.current) element.current.fetch = fetch
    }, [fetch])
    useListener(element, 'checkout-changed', onCheckoutChanged)
    useListener(element, 'checkout-paid', onCheckoutPaid)
    useListener(element, 'checkout-underpaid', onCheckoutUnderpaid)
    useListener(element, 'checkout-expired', onCheckoutExpired)
    useListener(element, 'checkout-cancelled', onCheckoutCancelled)
    useListener(element, 'checkout-sent', onCheckoutSent)
    useListener(element, 'checkout-error', onCheckoutError)
    useListener(element, 'checkout-step', onCheckoutStep)
    useListener(element, 'checkout-closed', onCheckoutClosed)

    // The element writes the attribute `phase`, maybe before React hydrates the page.
    // React 18 sets `className` on custom elements as an attribute of that name.
    return createElement('crypto-checkout', {
      suppressHydrationWarning: true,
      ...htmlProps,
      ...(className !== undefined && {class: className}),
      ...(chargeId && {'charge-id': chargeId}),
      ref: element,
    })
  },
)

type ElementRef = RefObject<CryptoCheckoutElement | null>

/** Sets the property only when the prop changes, so that a render does not reopen a dialog that the customer closed. */
function useProperty<Name extends keyof typeof defaults>(
  element: ElementRef,
  name: Name,
  value: Properties[Name],
): void {
  useIsomorphicLayoutEffect(() => {
    if (element.current) Object.assign(element.current, {[name]: value ?? defaults[name]})
  }, [value])
}

function useListener<Name extends keyof CheckoutEventMap>(
  element: ElementRef,
  name: Name,
  listener: Listener<Name>,
): void {
  useIsomorphicLayoutEffect(() => {
    const target = element.current
    if (!target || !listener) return undefined
    target.addEventListener(name, listener)
    return () => target.removeEventListener(name, listener)
  }, [listener])
}
