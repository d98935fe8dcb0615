export default function Page() {
  return (
    <form method="post" action="/orders">
      <h1>Your basket</h1>
      <button>Pay with crypto</button>
    </form>
  )
}
