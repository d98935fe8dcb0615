/** Counts the browser's tests, for the reader and for `run-all.ts`. A file that could not run counts as one failure. */
import {relative} from 'node:path'
import type {Reporter, TestSession} from '@web/test-runner'
import {none, plus, sentence, tell, type Counts} from '../../scripts/counts.js'

type Suite = NonNullable<TestSession['testResults']>

export function countReporter(): Reporter {
  return {
    stop({sessions}) {
      const counted = [...sessions].map(session => ({
        file: session.testFile,
        engine: session.browser.name,
        counts: countSession(session),
      }))
      for (const {file, engine, counts} of counted)
        console.log(
          `${counts.failed > 0 ? '✖' : '✔'} ${relative('.', file)} in ${engine}: ${sentence(counts)}`,
        )
      console.log(sentence(counted.map(({counts}) => counts).reduce(plus, none)))
      for (const {engine, counts} of counted) tell(counts, engine.toLowerCase())
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
