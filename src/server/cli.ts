/** The commands of `bin/crypto-checkout.js` that read a store or a deployment. */
export {chargesCommand} from './cli/charges.js'
export {doctorCommand} from './cli/doctor/doctor.js'
export {journalCommand} from './cli/journal.js'
export {schemaCommand} from './cli/schema.js'
