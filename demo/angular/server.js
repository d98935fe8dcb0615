import express from 'express'
import {checkout, placeOrder} from './checkout.js'

const app = express()
app.use(checkout.node)
app.post('/orders', async (req, res) => {
  res.json({chargeId: await placeOrder()})
})
app.use(express.static('public'))
app.listen(process.env.PORT ?? 3000)
