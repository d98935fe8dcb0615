import {defineComponent, h, onMounted} from 'vue'

/** Loads the playground in the browser only: the element, the proxy and the sandbox do not run while the site is built. */
export const Playground = defineComponent(() => {
  onMounted(async () => {
    const {registerPlayground} = await import('../playground/register.js')
    registerPlayground()
  })
  return () => h('checkout-playground')
})
