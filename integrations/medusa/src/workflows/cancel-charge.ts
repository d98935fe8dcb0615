import {createStep, createWorkflow, StepResponse, WorkflowResponse} from '@medusajs/framework/workflows-sdk'
import {payments} from '../payments.js'

/** Retries while the service cannot be reached, or a payment is on its way. */
const cancelCharge = createStep(
  {name: 'cancel-charge', maxRetries: 1_000, retryInterval: 60},
  async (collectionId: string) => new StepResponse(await payments().cancel(collectionId)),
)

export const cancelChargeWorkflow = createWorkflow(
  'cancel-crypto-charge',
  (collectionId: string) => new WorkflowResponse(cancelCharge(collectionId)),
)
