/** Counts the browser's tests for `run-all.ts`. A file that could not run counts as one failure. */
import type {Reporter, TestSession} from '@web/test-runner'
import {none, plus, tell, type Counts} from '../counts.js'

type Suite = NonNullable<TestSession['testResults']>

export function countReporter(): Reporter {
  return {
    stop({sessions}) {
      tell(sessions.map(countSession).reduce(plus, none))
    },
  }
}

function countSession({testResults, passed, errors}: TestSession): Counts {
  const counts = testResults ? countSuite(testResults) : none
  const broken = errors.length > 0 || (passed !== true && counts.failed === 0)
  return broken ? plus(counts, {passed: 0, failed: 1}) : counts
}

function countSuite({tests, suites}: Suite): Counts {
  const ran = tests.filter(({skipped}) => !skipped)
  const passed = ran.filter(test => test.passed).length
  return suites.map(countSuite).reduce(plus, {passed, failed: ran.length - passed})
}
