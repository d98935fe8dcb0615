// server.js
const shop = {target: `http://127.0.0.1:${process.env.PORT ?? 3000}`}

export default {'/orders': shop, '/crypto-checkout': shop}
