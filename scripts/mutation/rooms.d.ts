export declare const rooms: Readonly<
  Record<string, {readonly mutate: readonly string[]; readonly tests: readonly string[]}>
>
