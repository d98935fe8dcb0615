declare module 'cloudflare:sockets' {
  export const connect: import('./worker-socket.js').Connect
}
