import type {AssetOption, NetworkOption} from '../../contract/checkout.js'
import type {Renderable} from '../views/context.js'

/** What covers the monogram of an asset; nothing if there is no logo. `network`: the one to name with a badge. */
export type DrawLogo = (asset: AssetOption, network?: NetworkOption) => Renderable
