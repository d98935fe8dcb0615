import {svg} from 'lit'

export const copyIcon = svg`<rect x="7" y="7" width="9" height="9" rx="2" /><path d="M4 12.5V6a2 2 0 0 1 2-2h6.5" />`
export const doneIcon = svg`<path d="M4.5 10.5l3.7 3.7 7.3-8" />`
export const warningIcon = svg`<path d="M10 3.2 17.6 16.4H2.4z" /><path d="M10 8.2v3.6M10 14.1v.1" />`
export const backIcon = svg`<path d="M12 4.5 6.5 10l5.5 5.5" />`
