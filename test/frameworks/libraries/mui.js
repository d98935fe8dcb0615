import Dialog from '@mui/material/Dialog'
import {createElement as h} from 'react'
import {show} from './dialogs.js'

show(({children}) => h(Dialog, {open: true, fullWidth: true}, h('h2', null, 'Order 7'), children))
