import * as Sentry from '@sentry/browser'

Sentry.init({
  dsn: `http://key@${location.host}/1`,
  integrations: [Sentry.browserTracingIntegration()],
  tracesSampleRate: 1,
  tracePropagationTargets: [/./],
  propagateTraceparent: true,
})
