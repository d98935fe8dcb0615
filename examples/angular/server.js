import express from 'express'
import {checkout, payPage, placeOrder} from './checkout.js'

const app = express()
app.use(checkout.node)
app.post('/orders', async (req, res) => {
  res.json({chargeId: await placeOrder()})
})
app.get('/pay', async (req, res) => {
  res.send(await payPage(req.headers['accept-language']))
})
app.use(express.static('public'))
const port = Number(process.env.PORT ?? 3000)
app.listen(port, () => console.log(`http://localhost:${port}`))
