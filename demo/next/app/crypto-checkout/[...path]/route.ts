async function handle(request: Request) {
  const {checkout} = await import('@/checkout')
  return checkout.fetch(request)
}

export {handle as GET, handle as OPTIONS, handle as POST}
