import * as Dialog from '@radix-ui/react-dialog'
import {createElement as h} from 'react'
import {show} from './dialogs.js'

const style = {position: 'fixed', inset: '2vh 5vw', overflow: 'auto', background: 'white'}

show(({children}) =>
  h(
    Dialog.Root,
    {defaultOpen: true},
    h(
      Dialog.Portal,
      null,
      h(Dialog.Overlay),
      h(Dialog.Content, {style, 'aria-describedby': undefined}, h(Dialog.Title, null, 'Order 7'), children),
    ),
  ),
)
