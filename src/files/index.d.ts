/** The texts of the script-tag build by file name, for the option `files` of a bundled server or a Worker. */
export declare const files: Readonly<Record<string, string>>
