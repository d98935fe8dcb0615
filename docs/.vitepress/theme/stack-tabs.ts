/** Tabs, one for each slot: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
import {defineComponent, h, nextTick, ref, useId} from 'vue'

export const StackTabs = defineComponent(
  ({label}: {label: string}, {slots}) => {
    const id = useId()
    const names = Object.keys(slots).filter(name => !name.startsWith('_'))
    const selected = ref(0)
    const list = ref<HTMLElement>()

    const move = async (event: KeyboardEvent) => {
      const last = names.length - 1
      const target = {
        ArrowRight: selected.value === last ? 0 : selected.value + 1,
        ArrowLeft: selected.value === 0 ? last : selected.value - 1,
        Home: 0,
        End: last,
      }[event.key]
      if (target === undefined) return
      event.preventDefault()
      selected.value = target
      await nextTick()
      list.value?.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
    }

    return () => [
      h(
        'div',
        {ref: list, class: 'stack-tabs', role: 'tablist', 'aria-label': label, onKeydown: move},
        names.map((name, index) =>
          h(
            'button',
            {
              type: 'button',
              role: 'tab',
              id: `${id}-tab-${index}`,
              'aria-controls': `${id}-panel-${index}`,
              'aria-selected': index === selected.value,
              tabindex: index === selected.value ? 0 : -1,
              onClick: () => (selected.value = index),
            },
            name,
          ),
        ),
      ),
      names.map((name, index) =>
        h(
          'div',
          {
            class: 'stack-panel',
            role: 'tabpanel',
            id: `${id}-panel-${index}`,
            'aria-labelledby': `${id}-tab-${index}`,
            hidden: index !== selected.value,
          },
          slots[name]?.(),
        ),
      ),
    ]
  },
  {props: ['label']},
)
