/** Served with React 18 in React's place; see `scripts/wtr/in-place-of.ts`. */
import {describeComponent} from './component.js'

describeComponent('18')
