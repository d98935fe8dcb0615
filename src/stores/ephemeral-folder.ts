/** Detects folders that are deleted with the instance. A lost store means lost deposit addresses. */

/** Platforms without a permanent disk, by an environment variable that they set. */
const ephemeralPlatforms: Readonly<Record<string, string>> = {
  AWS_LAMBDA_FUNCTION_NAME: 'AWS Lambda',
  VERCEL: 'Vercel',
  NETLIFY: 'Netlify',
  K_SERVICE: 'Cloud Run',
  FUNCTIONS_WORKER_RUNTIME: 'Azure Functions',
  DYNO: 'Heroku',
}

/** The reason why the folder may be lost after a restart; undefined when none is known. */
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
