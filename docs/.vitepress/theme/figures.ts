/** Three figures of the home page. */
import {defineComponent, h} from 'vue'
import {data} from './figures.data.js'

const figures: readonly (readonly [value: number | string, unit: string, text: string])[] = [
  [data.kilobytes, 'kB', 'of script, compressed'],
  ['≈ 3', 's', 'until the page shows a payment'],
  [data.languages, 'languages', 'each loaded when it is shown'],
]

export const Figures = defineComponent(
  () => () =>
    h(
      'dl',
      {class: 'figures'},
      figures.map(([value, unit, text]) =>
        h('div', [h('dt', [h('strong', value), ` ${unit}`]), h('dd', text)]),
      ),
    ),
)
