async function answer(request: Request) {
  const {checkout} = await import('@/checkout')
  return checkout.fetch(request)
}

export {answer as GET, answer as OPTIONS, answer as POST}
