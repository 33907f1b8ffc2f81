export { PartnerKeys } from './keys/PartnerKeys.tsx'
