import {checkoutSchema, type Checkout} from '../../contract/checkout.js'
import {withoutControls} from '../../core/without-controls.js'

/** A frozen copy. Null if it is not valid, or that of another charge. */
export function parseCheckout(body: unknown, chargeId: string): Checkout | null {
  const {data} = checkoutSchema.safeParse(body)
  return data?.chargeId === chargeId ? deepFreeze(cleaned(data)) : null
}

function cleaned(checkout: Checkout): Checkout {
  const {description, reference, assets, quote} = checkout
  return {
    ...checkout,
    ...(description !== undefined && {description: withoutControls(description)}),
    ...(reference !== undefined && {reference: withoutControls(reference)}),
    assets: assets.map(asset => ({
      ...asset,
      name: withoutControls(asset.name),
      networks: asset.networks.map(network => ({...network, name: withoutControls(network.name)})),
    })),
    quote: quote && {...quote, networkName: withoutControls(quote.networkName)},
  }
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const key of Object.keys(value)) {
    const inner: unknown = Reflect.get(value, key)
    if (inner instanceof Object) deepFreeze(inner)
  }
  return Object.freeze(value)
}
