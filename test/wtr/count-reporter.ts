/** Prints how many tests passed and failed, by file and in total. A file that could not run counts as one failure. */
import {relative} from 'node:path'
import type {Reporter, TestSession} from '@web/test-runner'

type Suite = NonNullable<TestSession['testResults']>
type Counts = readonly [passed: number, failed: number]

export function countReporter(): Reporter {
  return {
    stop({sessions}) {
      const counted = [...sessions].map(session => ({session, counts: countSession(session)}))
      for (const {session, counts} of counted)
        console.log(
          `${counts[1] > 0 ? '✖' : '✔'} ${relative('.', session.testFile)} in ${session.browser.name}: ${format(counts)}`,
        )
      console.log(format(counted.map(({counts}) => counts).reduce(add, [0, 0])))
    },
  }
}

function countSession({testResults, passed}: TestSession): Counts {
  const counts = testResults ? countSuite(testResults) : ([0, 0] as const)
  return passed !== true && counts[1] === 0 ? [counts[0], 1] : counts
}

function countSuite({tests, suites}: Suite): Counts {
  const ran = tests.filter(({skipped}) => !skipped)
  const passed = ran.filter(test => test.passed).length
  return suites.map(countSuite).reduce(add, [passed, ran.length - passed])
}

function add(a: Counts, b: Counts): Counts {
  return [a[0] + b[0], a[1] + b[1]]
}

function format([passed, failed]: Counts): string {
  return `${passed} passed, ${failed} failed`
}
