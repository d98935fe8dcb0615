import {install} from '@github/hotkey'

for (const key of 'usdt') install(document.querySelector('#shortcut'), key)
