/** Three figures of the home page. The seconds are those of the visitor's own browser, which `LiveCheckout` measures. */
import {defineComponent, h, ref} from 'vue'
import {data} from './figures.data.js'

/** From the tag to the list of coins. */
export const listSeconds = ref<string>()

export const Figures = defineComponent(() => () => {
  const figures: readonly (readonly [value: string | number, unit: string, text: string])[] = [
    [data.kilobytes, 'kB', 'of script, compressed'],
    [listSeconds.value ?? '…', 's', 'to the list, in your browser just now'],
    [data.languages, 'languages', 'each loaded when it is shown'],
  ]
  return h(
    'dl',
    {class: 'figures'},
    figures.map(([value, unit, text]) =>
      h('div', [h('dt', [h('strong', value), ` ${unit}`]), h('dd', text)]),
    ),
  )
})
