/** Whether a folder can be told to last: the store is money, and some places forget their files. */

/** Where the platform says of itself that its disk goes with the instance. */
const ephemeralPlatforms: Readonly<Record<string, string>> = {
  AWS_LAMBDA_FUNCTION_NAME: 'AWS Lambda',
  VERCEL: 'Vercel',
  NETLIFY: 'Netlify',
  K_SERVICE: 'Cloud Run',
  FUNCTIONS_WORKER_RUNTIME: 'Azure Functions',
  DYNO: 'Heroku',
}

/** Why the folder may be gone after a restart, or undefined when nothing speaks against it. */
export function ephemeralReason(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean,
): string | undefined {
  const platform = Object.entries(ephemeralPlatforms).find(([name]) => environment[name])?.[1]
  if (platform) return `${platform} does not keep files`
  if (/^\/(tmp|var\/tmp|dev\/shm|run)\//.test(folder)) return 'temporary folders are emptied'
  const isContainer = exists('/.dockerenv') || environment['KUBERNETES_SERVICE_HOST'] !== undefined
  return isContainer ? 'in a container only mounted volumes last' : undefined
}
