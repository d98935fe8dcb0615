import {Idiomorph} from 'idiomorph'

document.addEventListener('refresh', async () => {
  const html = await (await fetch(location.href)).text()
  Idiomorph.morph(document.documentElement, html, {head: {style: 'none'}})
  document.dispatchEvent(new Event('refreshed'))
})
