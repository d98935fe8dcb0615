/**
 * A dialog of a library, open from the start: with a button that shows the checkout in front of it, or with the checkout
 * inside it. `data-place` of the body says which.
 */
import {createElement as h} from 'react'
import {createRoot} from 'react-dom/client'

/** @param Dialog a component that shows its children in an open dialog */
export function show(Dialog) {
  const {charge, place} = document.body.dataset
  const root = document.body.appendChild(document.createElement('div'))
  const pay = () => document.querySelector('crypto-checkout').show()
  createRoot(root).render(
    place === 'inside'
      ? h(Dialog, null, h('crypto-checkout', {'charge-id': charge}))
      : [
          h(Dialog, {key: 'dialog'}, h('button', {id: 'pay', onClick: pay}, 'Pay')),
          h('crypto-checkout', {key: 'checkout', 'charge-id': charge, modal: true}),
        ],
  )
}
