import {describeComponent} from './component.js'

describeComponent('19')
