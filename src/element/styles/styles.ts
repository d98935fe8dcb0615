/** How it looks until there is something to pay; the desk brings the rest. */
import {base} from './base.js'
import {choosing} from './choosing.js'
import {theme} from './theme.js'

export const styles = [theme, base, choosing]
