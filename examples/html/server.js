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
app.listen(process.env.PORT ?? 3000)
