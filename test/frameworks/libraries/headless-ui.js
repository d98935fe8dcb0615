import {Dialog, DialogPanel, DialogTitle} from '@headlessui/react'
import {createElement as h, useState} from 'react'
import {show} from './dialogs.js'

const style = {position: 'fixed', inset: '2vh 5vw', overflow: 'auto', background: 'white'}

show(function OrderDialog({children}) {
  const [open, setOpen] = useState(true)
  return h(
    Dialog,
    {open, onClose: () => setOpen(false)},
    h(DialogPanel, {style}, h(DialogTitle, null, 'Order 7'), children),
  )
})
