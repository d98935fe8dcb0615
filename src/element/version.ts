/** The package's version, which the warning about a second copy names. */
export const version = '0.1.0'
