import {getCheckout} from '@/checkout'

const handle = (request: Request) => getCheckout().fetch(request)

export {handle as GET, handle as OPTIONS, handle as POST}
