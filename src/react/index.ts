/**
 * The door `crypto-checkout/react`: `<crypto-checkout>` for React 18 and 19. Attributes are rendered, so the server's
 * markup is the page's; what markup cannot carry (listeners, `fetch`) is set once the element is there, because React
 * does not attach a custom element's listeners when it hydrates.
 */
import {
  createElement,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useRef,
  type CSSProperties,
  type ForwardRefExoticComponent,
  type ReactNode,
  type RefAttributes,
} from 'react'
import {register, type CheckoutEventMap, type CryptoCheckout as Element} from '../element/index.js'

export interface CryptoCheckoutProps {
  chargeId?: string | null | undefined
  endpoint?: string | undefined
  token?: string | undefined
  asset?: string | undefined
  network?: string | undefined
  locale?: string | undefined
  theme?: 'auto' | 'light' | 'dark' | undefined
  qr?: 'address' | 'request' | undefined
  logos?: 'remote' | 'none' | undefined
  autoRedirect?: boolean | undefined
  modal?: boolean | undefined
  open?: boolean | undefined
  fetch?: typeof globalThis.fetch | undefined
  id?: string | undefined
  className?: string | undefined
  style?: CSSProperties | undefined
  /** What is shown when the script could not load, and content for the slots `header`, `footer` and `paid`. */
  children?: ReactNode
  onChanged?: ((event: CheckoutEventMap['checkout-changed']) => void) | undefined
  /** A hint: goods ship on what your server has read itself. */
  onPaid?: ((event: CheckoutEventMap['checkout-paid']) => void) | undefined
  onUnderpaid?: ((event: CheckoutEventMap['checkout-underpaid']) => void) | undefined
  onExpired?: ((event: CheckoutEventMap['checkout-expired']) => void) | undefined
  onCancelled?: ((event: CheckoutEventMap['checkout-cancelled']) => void) | undefined
  onError?: ((event: CheckoutEventMap['checkout-error']) => void) | undefined
  onClosed?: ((event: CheckoutEventMap['checkout-closed']) => void) | undefined
}

/** The ref is the element itself: `ref.current.checkout`, `.refresh()`, `.show()`. */
export const CryptoCheckout: ForwardRefExoticComponent<CryptoCheckoutProps & RefAttributes<Element>> =
  forwardRef<Element, CryptoCheckoutProps>(function CryptoCheckout(props, forwarded) {
    const ref = useRef<Element>(null)
    const {fetch} = props
    useImperativeHandle<Element | null, Element | null>(forwarded, () => ref.current)

    useListener(ref, 'checkout-changed', props.onChanged)
    useListener(ref, 'checkout-paid', props.onPaid)
    useListener(ref, 'checkout-underpaid', props.onUnderpaid)
    useListener(ref, 'checkout-expired', props.onExpired)
    useListener(ref, 'checkout-cancelled', props.onCancelled)
    useListener(ref, 'checkout-error', props.onError)
    useListener(ref, 'checkout-closed', props.onClosed)
    useEffect(() => {
      if (ref.current && fetch) ref.current.fetch = fetch
    }, [fetch])
    // Last, so that the listeners hear the first event of an element that is made known only now.
    useEffect(register, [])

    return createElement(
      'crypto-checkout',
      {
        ref,
        id: props.id,
        class: props.className,
        style: props.style,
        'charge-id': props.chargeId ?? undefined,
        endpoint: props.endpoint,
        token: props.token,
        asset: props.asset,
        network: props.network,
        locale: props.locale,
        theme: props.theme,
        qr: props.qr,
        logos: props.logos,
        'auto-redirect': present(props.autoRedirect),
        modal: present(props.modal),
        open: present(props.open),
      },
      props.children,
    )
  })

/** A boolean attribute is there or not; React 18 would write `false` as text. */
function present(flag: boolean | undefined): '' | undefined {
  return flag ? '' : undefined
}

/** Listens once for the life of the element, and calls whichever handler the latest render gave. */
function useListener<Type extends keyof CheckoutEventMap>(
  element: {readonly current: Element | null},
  type: Type,
  handler: ((event: CheckoutEventMap[Type]) => void) | undefined,
): void {
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  useEffect(() => {
    const target = element.current
    const listen = (event: CheckoutEventMap[Type]) => latest.current?.(event)
    target?.addEventListener(type, listen)
    return () => target?.removeEventListener(type, listen)
  }, [element, type])
}
