export default function Page() {
  return (
    <form action="/pay">
      <h1>Your basket</h1>
      <button>Pay with crypto</button>
    </form>
  )
}
