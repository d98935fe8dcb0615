import {List} from './list/list.js'

export const loadList = () => Promise.resolve({List})
