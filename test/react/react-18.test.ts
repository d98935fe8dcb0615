/** Bundled with React 18 in place of React; see `test/web-test-runner.config.js`. */
import {describeComponent} from './component.js'

describeComponent('18')
