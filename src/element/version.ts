/** The package's version, so that two copies on one page can tell each other apart. */
export const version = '0.1.0'
