export { SecretOnce } from './SecretOnce.tsx'
export { PartnerKeys } from './keys/PartnerKeys.tsx'
export { WebhookDeliveries } from './webhooks/Deliveries.tsx'
export { Webhooks } from './webhooks/Webhooks.tsx'
