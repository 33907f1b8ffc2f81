// Generated from the database by `npm run db:types`. Do not edit.
import type { ColumnType } from 'kysely'

export type ArrayType<T> = ArrayTypeImpl<T> extends (infer U)[] ? U[] : ArrayTypeImpl<T>

export type ArrayTypeImpl<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S[], I[], U[]> : T[]

export type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>

export type Json = JsonValue

export type JsonArray = JsonValue[]

export type JsonObject = {
  [x: string]: JsonValue | undefined
}

export type JsonPrimitive = boolean | number | string | null

export type JsonValue = JsonArray | JsonObject | JsonPrimitive

export type Timestamp = ColumnType<Date, Date | string, Date | string>

export interface AccessChange {
  at: Generated<Timestamp>
  id: Generated<number>
  kind: string
  subject_id: number
  xid: Generated<string>
}

export interface AccountOpening {
  account_type: string
  agent_id: number
  asks: Generated<number>
  decided_at: Timestamp | null
  details_sealed: string
  id: Generated<number>
  made_at: Timestamp
  made_by: string
  made_by_id: number | null
  next_ask_at: Timestamp | null
  number: string
  papers: Generated<Json>
  reason: Generated<string>
  state: Generated<string>
  submitted_at: Timestamp | null
}

export interface Activity {
  agent_id: number
  area_ids: Generated<ArrayType<number>>
  bearer: string
  budget_cents: number | null
  budget_uses: number | null
  changed_at: Timestamp
  changed_by: string
  created_at: Timestamp
  device_uses: number | null
  dry_at: Timestamp | null
  ends_at: Timestamp | null
  holdout_percent: Generated<number>
  id: Generated<number>
  kind: string
  name: string
  partner: Generated<string>
  rider_day_uses: number | null
  rider_uses: number | null
  riders: Generated<number>
  starts_at: Timestamp
  state: Generated<string>
  used_cents: Generated<number>
  uses: Generated<number>
  version: Generated<number>
  warned_at: Timestamp | null
}

export interface ActivityRider {
  activity_id: number
  agent_id: number
  cents: number
  rider_id: number
  uses: number
}

export interface ActivityUse {
  activity_id: number
  agent_id: number
  cause_id: number
  cause_kind: string
  cents: number
  day: string
  given_back_at: Timestamp | null
  id: Generated<number>
  rider_id: number
  used_at: Timestamp
  version: number
}

export interface ActivityVersion {
  activity_id: number
  agent_id: number
  common: Json
  made_at: Timestamp
  made_by: string
  made_by_id: number | null
  terms: Json
  version: number
}

export interface AdDay {
  agent_id: number
  area_id: number
  day: string
  impressions: Generated<number>
  placement_id: number
  riders: Generated<number>
  shard: number
  taps: Generated<number>
}

export interface AdEvent {
  agent_id: number
  at: Timestamp
  event_id: string
  rider_id: number
}

export interface AdPlacement {
  agent_id: number
  area_ids: Generated<ArrayType<number>>
  changed_at: Timestamp
  changed_by: string
  created_at: Timestamp
  ends_at: Timestamp | null
  id: Generated<number>
  name: string
  slot: string
  starts_at: Timestamp
  state: Generated<string>
  version: Generated<number>
}

export interface AdRiderDay {
  agent_id: number
  day: string
  impressions: number
  placement_id: number
  rider_id: number
  taps: number
}

export interface AdTotal {
  agent_id: number
  impressions: Generated<number>
  placement_id: number
  riders: Generated<number>
  shard: number
  taps: Generated<number>
}

export interface AdVersion {
  agent_id: number
  content: Json
  made_at: Timestamp
  made_by: string
  made_by_id: number | null
  photo_ids: Generated<string[]>
  placement_id: number
  version: number
}

export interface Agent {
  agent_id: Generated<number>
  api_key_hash: string | null
  app_title: string | null
  brand_company: string | null
  company: string
  created_at: Generated<Timestamp>
  device_policy: Generated<string>
  domain: string | null
  finance_totp_from: Timestamp | null
  id: Generated<number>
  layout: Generated<Json>
  parent_id: number | null
  state: Generated<string>
  web_img: string | null
  web_title: string | null
}

export interface Ally {
  agent_id: number
  created_at: Timestamp
  created_by: string
  id: Generated<number>
  name: string
  note: Generated<string>
  phone_hash: string
  phone_sealed: string
}

export interface AreaWeather {
  agent_id: number
  area_id: number
  hour: Timestamp
  weather: string
}

export interface AssetDetail {
  account: string
  agent_id: number
  at: Timestamp
  cents: number
  entry_number: number
  id: Generated<number>
  kind: string
  reference: string
  remark: Generated<string>
  remarked_by: string | null
  remarked_by_id: number | null
}

export interface AuditAnchor {
  agent_id: number
  hash: Buffer
  made_at: Timestamp
  sequence: number
}

export interface AuditMention {
  agent_id: number
  at: Timestamp
  line_id: number
  subject_id: string
  subject_kind: string
}

export interface AuditRecord {
  action: string
  address: string | null
  after: Json | null
  agent_id: number
  area_id: number | null
  at: Timestamp
  before: Json | null
  hash: Generated<Buffer>
  id: Generated<number>
  operator_id: number | null
  prev_hash: Generated<Buffer>
  request_id: string | null
  sequence: Generated<number>
  subject_id: string
  subject_kind: string
}

export interface BankCard {
  added_at: Timestamp
  added_by: string
  added_by_id: number | null
  agent_id: number
  bank_name: string
  bound_at: Timestamp | null
  card_sealed: string
  check_kind: string
  code_sent_at: Timestamp | null
  codes_sent: Generated<number>
  ended_at: Timestamp | null
  holder_sealed: string
  id: Generated<number>
  last_digits: string
  mobile_sealed: string
  number: string
  reason: Generated<string>
  state: Generated<string>
  token: string | null
  tries: Generated<number>
}

export interface CallNonce {
  jti: string
  seen_at: Timestamp
  session_id: number
}

export interface Campaign {
  agent_id: number
  audience: number | null
  batch_id: number | null
  budget_sends: number | null
  capped: Generated<number>
  changed_at: Timestamp
  changed_by: string
  changed_by_id: number | null
  channel: string
  control: Generated<number>
  created_at: Timestamp
  created_by: string
  cursor_id: Generated<number>
  ended_at: Timestamp | null
  failed: Generated<number>
  halt: string | null
  held_out: Generated<number>
  holdout_percent: number
  id: Generated<number>
  name: string
  segment_id: number
  segment_version: number
  sent: Generated<number>
  started_at: Timestamp | null
  starts_at: Timestamp | null
  state: Generated<string>
  template_id: number | null
  terms: Json
  version: Generated<number>
  weekly: Generated<number>
}

export interface CampaignRider {
  agent_id: number
  at: Timestamp
  campaign_id: number
  outcome: string
  rider_id: number
}

export interface CampaignVersion {
  agent_id: number
  campaign_id: number
  made_at: Timestamp
  made_by: string
  made_by_id: number | null
  terms: Json
  version: number
}

export interface CardProduct {
  agent_id: number
  area_ids: Generated<ArrayType<number>>
  badge: Generated<string>
  changed_at: Timestamp
  changed_by: string
  colour: Generated<string>
  created_at: Generated<Timestamp>
  days: number
  free_minutes: number | null
  id: Generated<number>
  kind: string
  max_off_cents: number | null
  name: string
  on_from: Timestamp | null
  on_to: Timestamp | null
  percent_off: number | null
  place: Generated<number>
  price_cents: number
  rider_max: number | null
  rides: number | null
  rides_per_day: number | null
  slogan: Generated<string>
  sold: Generated<number>
  state: Generated<string>
  stock: number | null
  version: Generated<number>
  was_price_cents: number | null
}

export interface CardProductVersion {
  agent_id: number
  made_at: Timestamp
  made_by: string
  made_by_id: number | null
  product_id: number
  terms: Json
  version: number
}

export interface CardUse {
  agent_id: number
  card_id: number
  order_id: number
  returned_at: Timestamp | null
  saved_cents: number
  used_on: string
}

export interface ChannelBill {
  brought_by: Generated<string>
  channel: string
  compared_at: Timestamp
  day: string
  fee_millicents: number
  hash: Buffer
  id: Generated<number>
  lines: number
  paid_cents: number
  refunded_cents: number
  source: string
}

export interface ChannelBillLine {
  agent_id: number
  at: Timestamp
  cents: number
  channel: string
  day: string
  fee_millicents: number
  is_refund: boolean
  n: number
  number: string
  order_number: string
  status: string
  subject_id: number | null
  trade_number: string
}

export interface ChannelDay {
  agent_id: number
  bill_paid_cents: number
  bill_payments: number
  bill_refunded_cents: number
  bill_refunds: number
  channel: string
  compared_at: Timestamp
  day: string
  day_number: Generated<number>
  differences: Generated<number>
  fee_cents: number
  fee_millicents: number
  held_cents: Generated<number>
  id: Generated<number>
  open_differences: Generated<number>
  own_paid_cents: number
  own_payments: number
  own_refunded_cents: number
  own_refunds: number
  source: string
  state: Generated<string>
}

export interface ChannelDifference {
  agent_id: number
  bill_at: Timestamp | null
  bill_cents: number | null
  bill_status: string | null
  channel: string
  copy: Generated<number>
  day: string
  day_number: Generated<number>
  decided_at: Timestamp | null
  decided_by: string | null
  decided_by_id: number | null
  delta_cents: number
  found_at: Timestamp
  held_cents: number
  id: Generated<number>
  is_refund: boolean
  kind: string
  number: string
  order_number: string
  own_at: Timestamp | null
  own_cents: number | null
  own_status: string | null
  proposed_at: Timestamp | null
  proposed_by: string | null
  proposed_by_id: number | null
  reason: Generated<string>
  refund_number: string | null
  refunded_on: string | null
  resolution: string | null
  state: Generated<string>
  subject_id: number | null
  suspended_by: ArrayType<number> | null
  trade_number: string
}

export interface ChargeNote {
  agent_id: number
  cents: number
  code: string | null
  created_at: Timestamp
  id: Generated<number>
  left_cents: Generated<number>
  number: string
  operator_id: number | null
  operator_name: string
  paid_at: Timestamp | null
  state: Generated<string>
  way: string
}

export interface ChatConversation {
  agent_id: number
  company: string
  id: Generated<number>
  last_at: Timestamp
  last_text: Generated<string>
  operator_id: number
  operator_name: string
  unread: Generated<number>
}

export interface ChatMessage {
  agent_id: number
  author_id: number
  author_name: string
  conversation_id: number
  from_support: boolean
  id: Generated<number>
  sent_at: Timestamp
  text: string
}

export interface Coupon {
  agent_id: number
  batch_id: number
  claimed_at: Timestamp | null
  code: string | null
  ends_at: Timestamp
  id: Generated<number>
  issued_at: Timestamp
  order_id: number | null
  returned_at: Timestamp | null
  returned_order_id: number | null
  revoke_reason: Generated<string>
  revoked_at: Timestamp | null
  revoked_by: string | null
  rider_id: number | null
  saved_cents: number | null
  state: Generated<string>
  template_id: number
  used_at: Timestamp | null
  version: number
}

export interface CouponBatch {
  activity_id: number | null
  agent_id: number
  claim_until: Timestamp | null
  claimed: Generated<number>
  expired: Generated<number>
  id: Generated<number>
  issued: number
  made_at: Timestamp
  made_by: string
  made_by_id: number | null
  note: Generated<string>
  open: Generated<number>
  revoke_asked_at: Timestamp | null
  revoke_asked_by: string | null
  revoke_done_at: Timestamp | null
  revoke_reason: Generated<string>
  revoked: Generated<number>
  source: string
  template_id: number
  used: Generated<number>
  version: number
  wanted: number
}

export interface CouponTemplate {
  agent_id: number
  budget_cents: number | null
  budget_uses: number | null
  changed_at: Timestamp
  changed_by: string
  created_at: Timestamp
  device_max: number | null
  id: Generated<number>
  name: string
  rider_max: number | null
  state: Generated<string>
  used_cents: Generated<number>
  uses: Generated<number>
  version: Generated<number>
}

export interface CouponTemplateVersion {
  agent_id: number
  made_at: Timestamp
  made_by: string
  made_by_id: number | null
  template_id: number
  terms: Json
  version: number
}

export interface DemandSearch {
  agent_id: number
  area_id: number
  hour_at: Timestamp
  lat_step: number
  lng_step: number
  searches: Generated<number>
  unmet: Generated<number>
}

export interface DemoHistory {
  begun_at: Timestamp
  ended_at: Timestamp
  first_ids: Json
}

export interface DemoHistoryDay {
  day: string
  imported_at: Timestamp
}

export interface DemoTripRider {
  rider: number
  trip_id: number
}

export interface DepositCase {
  agent_id: number
  cents: number
  decided_at: Timestamp | null
  decided_by: string | null
  decided_by_id: number | null
  decision: Generated<string>
  deposit_id: number
  id: Generated<number>
  opened_at: Timestamp
  operator_id: number | null
  operator_name: string
  reason: string
  recovered_cents: Generated<number>
  state: Generated<string>
}

export interface DepositSetting {
  agent_id: number
  area_id: number | null
  author_id: number | null
  author_name: string
  cents: number
  created_at: Timestamp
  free_card_holders: boolean
  free_product_ids: Generated<ArrayType<number>>
  free_professions: Generated<boolean>
  free_students: boolean
  id: Generated<number>
  inherits: Generated<boolean>
}

export interface Device {
  agent_id: number
  area_id: number
  firmware: string | null
  id: Generated<number>
  imei: string
  profile: Generated<string>
  registration_open_until: Timestamp | null
  secret_generation: Generated<number>
  terminal_mark: string | null
  terminal_number: string | null
  vehicle_id: number
}

export interface DeviceArtefact {
  agent_id: number
  bytes: number
  created_at: Timestamp
  created_by: string
  follows: string[]
  format: string
  id: Generated<number>
  kind: string
  models: string[]
  name: string
  note: Generated<string>
  protocol: string
  sha256: string
  signature: Buffer
  signer: string
  state: Generated<string>
  version: string
}

export interface DeviceArtefactContent {
  agent_id: number
  artefact_id: number
  content: Buffer
}

export interface DeviceConfig {
  agent_id: number
  area_id: number
  settings: Json
  updated_at: Timestamp
  vehicle_id: number
  version: Generated<number>
}

export interface DeviceLease {
  address: string
  gateway_id: string
  taken_at: Timestamp
  vehicle_id: number
}

export interface DeviceReport {
  agent_id: number
  alarms: Generated<string[]>
  altitude_m: number | null
  area_id: number
  battery_percent: number | null
  battery_version: number | null
  charging: boolean | null
  fix: boolean | null
  frame_crc: number
  heading_deg: number | null
  kind: string
  lat: number | null
  lng: number | null
  locked: boolean | null
  occurred_at: Timestamp
  odometer_m: number | null
  received_at: Timestamp
  said_percent: number | null
  signal: number | null
  speed_kmh: number | null
  /**
   * Reports before it that said the same and are not kept.
   */
  unchanged: Generated<number>
  vehicle_id: number
  voltage_v: number | null
}

export interface ExportJob {
  action: string
  agent_id: number
  agent_ids: ArrayType<number>
  area_ids: ArrayType<number>
  attempts: Generated<number>
  bytes: Generated<number>
  call: string
  created_at: Timestamp
  downloaded_at: Timestamp | null
  expires_at: Timestamp | null
  export_id: string
  failure: string | null
  file_name: string
  finished_at: Timestamp | null
  format: string
  id: Generated<number>
  is_asked: Generated<boolean>
  lease_until: Timestamp | null
  operator_id: number
  operator_name: string
  parts: Generated<number>
  question_sealed: Buffer | null
  rows: Generated<number>
  state: string
  total: number | null
}

export interface ExportPart {
  agent_id: number
  export_id: string
  id: Generated<number>
  part: number
  sealed: Buffer
}

export interface Fact {
  agent_id: number
  at: Timestamp
  id: Generated<number>
  kind: string
  rider_id: number
  seq: number | null
  subject_id: number
}

export interface FactCursor {
  consumer: string
  seq: number
}

export interface FactNumber {
  id: Generated<number>
  last: number
}

export interface FactoryTerms {
  agent_id: number
  battery_min_percent: number
  changed_at: Timestamp
  changed_by: string
  firmware: string | null
  model: string
  steps: string[]
  voltage_max_v: number | null
  voltage_min_v: number | null
}

export interface FactoryTest {
  agent_id: number
  area_id: number
  begun_at: Timestamp
  begun_by: string
  begun_by_id: number
  ended_at: Timestamp | null
  id: Generated<number>
  state: string
  terms: Json
  vehicle_id: number
}

export interface FactoryTestStep {
  agent_id: number
  area_id: number
  begun_at: Timestamp | null
  command_id: number | null
  ended_at: Timestamp | null
  failure: string | null
  measured: Generated<string>
  position: number
  state: string
  step: string
  test_id: number
}

export interface FaultReport {
  agent_id: number
  area_id: number
  id: Generated<number>
  inspection_id: number | null
  note: Generated<string>
  person_name: string | null
  reason: string
  reported_at: Timestamp
  settled_at: Timestamp | null
  source: string
  task_id: number | null
  vehicle_id: number
}

export interface FeedbackEvent {
  agent_id: number
  area_id: number | null
  assignee_name: string | null
  at: Timestamp
  author_id: number | null
  author_name: string | null
  feedback_id: number
  from_platform: boolean
  id: Generated<number>
  photo_ids: Generated<string[]>
  priority: string | null
  step: string
  text: Generated<string>
}

export interface FeedbackTicket {
  agent_id: number
  area_id: number | null
  assignee_id: number | null
  assignee_name: string | null
  author_id: number
  author_name: string
  changed_at: Timestamp
  due_at: Timestamp
  id: Generated<number>
  is_done: Generated<boolean>
  is_waiting: Generated<boolean>
  kind: string
  opened_at: Timestamp
  order_id: number | null
  overdue_told_at: Timestamp | null
  photo_ids: Generated<string[]>
  priority: string
  rating: number | null
  rating_text: Generated<string>
  reopened_count: Generated<number>
  resolved_at: Timestamp | null
  service_bill_id: number | null
  split_bill_id: number | null
  state: Generated<string>
  text: string
  ticket_id: number | null
  title: string
  vehicle_id: number | null
  waiting_since: Timestamp | null
}

export interface Fence {
  agent_id: number
  area_id: number
  author_name: Generated<string>
  capacity: number | null
  centre_lat: number
  centre_lng: number
  closes_minute: number | null
  east: number
  holes: Generated<Json>
  id: Generated<number>
  kind: string
  line_id: Generated<number>
  name: string
  north: number
  note: Generated<string>
  opens_minute: number | null
  photo_ids: Generated<string[]>
  radius_m: number | null
  removed_by: string | null
  removed_note: string | null
  restored_from: number | null
  ring: Json | null
  south: number
  valid_from: Timestamp
  valid_to: Timestamp | null
  version: Generated<number>
  west: number
}

export interface FenceChange {
  at: Generated<Timestamp>
  changed_area_id: number
  id: Generated<number>
  xid: Generated<string>
}

export interface FinancialAccount {
  account_level: number | null
  account_type: string | null
  agent_id: number
  auth_status: number | null
  bank_number: string | null
  changed_at: Timestamp | null
  created_at: Generated<Timestamp>
  customer_name_sealed: string | null
  id: Generated<number>
  name_sealed: string | null
  opened_at: Timestamp | null
  status: number | null
}

export interface FleetDay {
  agent_id: number
  area_id: number
  battery_percent: number | null
  day: string
  distance_m: number
  low_battery: number
  made_at: Timestamp
  ridden: number
  ride_seconds: number
  trips: number
  vehicles: number
}

export interface FleetHour {
  agent_id: number
  area_id: number
  available: number
  hour: Timestamp
  made_at: Timestamp
  non_contactable: number
  non_operational: number
  on_trip: number
  vehicles: number
}

export interface FleetJob {
  done_to: Timestamp
  name: string
}

export interface FranchiseApplication {
  city: string
  company: string
  contact_sealed: string
  created_at: Timestamp
  decided_at: Timestamp | null
  decided_by: string | null
  id: Generated<number>
  number: string
  opened_agent_id: number | null
  phone_hash: string
  phone_sealed: string
  planned_vehicles: number
  refusal: string | null
  remark: Generated<string>
  state: Generated<string>
}

export interface GatewayNode {
  node: string
  protocol: string
  rejected: number
  reports: number
  reports_per_second: number
  seen_at: Timestamp
  sessions: number
  started_at: Timestamp
  waiting: number
}

export interface GbfsFeed {
  agent_id: number
  area_id: number
  body: Buffer | null
  bytes: Generated<number>
  etag: string | null
  findings: Generated<string[]>
  name: string
  published_at: Timestamp | null
  tried_at: Timestamp
}

export interface GbfsReader {
  agent_id: number
  area_id: number
  day: string
  last_at: Timestamp
  reader: string
  reads: number
}

export interface GbfsSetting {
  agent_id: number
  changed_at: Timestamp
  changed_by: string
  contact_email: string
  forms: Generated<Json>
  id_key_sealed: string
  is_public: boolean
  version: Generated<number>
}

export interface GiftLot {
  activity_id: number | null
  agent_id: number
  area_ids: Generated<ArrayType<number>>
  bearer: string
  ends_at: Timestamp | null
  expired_cents: Generated<number>
  granted_at: Timestamp
  granted_cents: number
  id: Generated<number>
  name: string
  open_cents: Generated<number>
  revoked_cents: Generated<number>
  rider_id: number
  source: string
  source_id: number
  used_cents: Generated<number>
}

export interface GiftUse {
  agent_id: number
  cents: number
  lapsed_cents: Generated<number>
  lot_id: number
  subject: string
  subject_id: number
  used_at: Timestamp
}

export interface HelpArticle {
  agent_id: number
  area_ids: Generated<ArrayType<number>>
  category: string
  category_rank: Generated<number>
  changed_at: Timestamp
  changed_by: string
  created_at: Timestamp
  id: Generated<number>
  live_version: number | null
  next_at: Timestamp | null
  next_version: number | null
  pictures: Generated<number>
  position: number
  state: Generated<string>
  title: string
  title_en: Generated<string>
  version: Generated<number>
}

export interface HelpCount {
  agent_id: number
  article_id: number
  readers: Generated<number>
  shard: number
  useful: Generated<number>
  useless: Generated<number>
  views: Generated<number>
}

export interface HelpReader {
  agent_id: number
  article_id: number
  first_at: Timestamp
  id: Generated<number>
  last_at: Timestamp
  opinion: Generated<string>
  opinion_at: Timestamp | null
  rider_id: number
  version: number
  views: Generated<number>
}

export interface HelpVersion {
  agent_id: number
  article_id: number
  content: Json
  made_at: Timestamp
  made_by: string
  made_by_id: number | null
  photo_ids: Generated<string[]>
  version: number
}

export interface Idempotency {
  agent_id: number
  answer: Json | null
  created_at: Generated<Timestamp>
  endpoint: string
  input_hash: string
  key: string
  operator_id: number
  status: Generated<string>
}

export interface Invite {
  activity_id: number
  agent_id: number
  bound_at: Timestamp
  cost_cents: Generated<number>
  counted_at: Timestamp | null
  decided_at: Timestamp | null
  decided_by: string | null
  decided_by_id: number | null
  depth: number
  due_at: Timestamp | null
  ended_at: Timestamp | null
  facts: Json
  grant_id: number | null
  id: Generated<number>
  invited_id: number
  inviter_id: number
  is_cleared: Generated<boolean>
  note: Generated<string>
  order_id: number | null
  reason: string | null
  ride_by: Timestamp
  state: string
  version: number
}

export interface InviteCode {
  agent_id: number
  brought: Generated<number>
  code: string
  is_brought: Generated<boolean>
  made_at: Timestamp
  rider_id: number
}

export interface InviteGuess {
  agent_id: number
  day: string
  rider_id: number
  wrong: number
}

export interface Invoice {
  agent_id: number
  cents: number
  decided_at: Timestamp | null
  decided_by: string | null
  email_sealed: string
  id: Generated<number>
  item_count: number
  link: string | null
  number: string | null
  photo_ids: Generated<string[]>
  reason: Generated<string>
  red_number: string | null
  requested_at: Timestamp
  rider_id: number
  state: Generated<string>
  tax_number_sealed: string | null
  title_kind: string
  title_sealed: string
}

export interface InvoiceItem {
  agent_id: number
  at: Timestamp
  cents: number
  counts: Generated<boolean>
  invoice_id: number
  kind: string
  number: string
  subject_id: number
}

export interface LedgerAccount {
  agent_id: number
  currency: string
  hash: Buffer
  id: Generated<number>
  kind: string
  may_be_negative: boolean
  number: number
  opened_at: Timestamp
  owner_id: number
}

export interface LedgerBalance {
  account_id: number
  agent_id: number
  balance_cents: Generated<number>
  has_lots: Generated<boolean>
  is_owned: boolean
  may_be_negative: boolean
  posting_count: Generated<number>
}

export interface LedgerBook {
  account_hash: Generated<Buffer>
  account_number: Generated<number>
  agent_id: number
  entry_hash: Generated<Buffer>
  entry_number: Generated<number>
}

export interface LedgerEntry {
  account_ids: ArrayType<number>
  agent_id: number
  amounts_cents: ArrayType<number>
  hash: Buffer
  input_hash: Buffer
  key: string
  kind: string
  memo: string
  number: number
  occurred_at: Timestamp
  recorded_at: Timestamp
  reference: string
  reverses: number | null
}

export interface LedgerOwnerPosting {
  account_id: number
  agent_id: number
  amount_cents: number
  entry_number: number
  line: number
}

export interface LedgerPosting {
  account_id: number | null
  agent_id: number | null
  amount_cents: number | null
  entry_number: number | null
  line: number | null
}

export interface LoginTicket {
  created_at: Timestamp
  expires_at: Timestamp
  id: Generated<number>
  kind: string
  phone_hash: string
  phone_sealed: string
  pre_hash: string
  used_at: Timestamp | null
}

export interface MarketingSetting {
  agent_id: number
  changed_at: Timestamp
  changed_by: string
  changed_by_id: number | null
  control_percent: number
  weekly_max: Generated<number | null>
}

export interface MdsAgency {
  agent_id: number
  changed_at: Timestamp
  changed_by: string
  failing_since: Timestamp | null
  failures: Generated<number>
  fault: string | null
  held_until: Timestamp | null
  is_paused_for_failure: Generated<boolean>
  jurisdiction_id: number
  last_sent_at: Timestamp | null
  lease_until: Timestamp | null
  state: Generated<string>
  telemetry_after: Generated<number>
  telemetry_from: Timestamp
  token_sealed: string
  url: string
  vehicles_at: Timestamp
  version: Generated<number>
}

export interface MdsAgencyDay {
  agent_id: number
  day: string
  jurisdiction_id: number
  kind: string
  refused: number
  sent: number
}

export interface MdsAgencyVehicle {
  agent_id: number
  jurisdiction_id: number
  record: Json
  told_at: Timestamp
  vehicle_id: number
}

export interface MdsClient {
  agent_id: number
  client_id: string
  created_at: Timestamp
  created_by: string
  expires_at: Timestamp
  id: Generated<number>
  jurisdiction_id: number
  last_used_at: Timestamp | null
  name: string
  revoked_at: Timestamp | null
  secret_hash: string
}

export interface MdsClientDay {
  agent_id: number
  calls: number
  client_id: number
  day: string
  refused: number
}

export interface MdsJurisdiction {
  agent_id: number
  boundary: Json
  created_at: Timestamp
  created_by: string
  east: number
  ended_at: Timestamp | null
  id: Generated<number>
  name: string
  north: number
  south: number
  version: Generated<number>
  west: number
}

export interface MdsPolicy {
  agent_id: number
  created_at: Timestamp
  created_by: string
  description: string
  end_reason: string | null
  ended_at: Timestamp | null
  ends_at: Timestamp | null
  id: Generated<number>
  jurisdiction_id: number
  name: string
  policy_id: string
  prev_policies: string[]
  published_at: Timestamp
  source_url: string | null
  starts_at: Timestamp
}

export interface MdsPolicyRule {
  agent_id: number
  becomes: string
  boundary: Json
  counted: number | null
  counted_at: Timestamp | null
  document: Json
  except_in: Generated<Json>
  id: Generated<number>
  line_ids: Generated<ArrayType<number>>
  maximum: number | null
  name: string
  over_since: Timestamp | null
  policy: number
  position: number
  reason: string | null
  rule_id: string
  taken_at: Timestamp | null
  taken_by: string | null
  version: Generated<number>
}

export interface MdsProvider {
  agent_id: number
  changed_at: Timestamp
  changed_by: string
  provider_id: string
  version: Generated<number>
}

export interface MdsPush {
  agent_id: number
  attempts: Generated<number>
  created_at: Generated<Timestamp>
  fault: string | null
  first_tried_at: Timestamp | null
  id: Generated<number>
  jurisdiction_id: number
  kind: string
  next_at: Timestamp | null
  record_id: number
  state: Generated<string>
  vehicle_id: number
}

export interface MeterClosing {
  counted_at: Timestamp
  day: string
  meter: string
}

export interface MeterDay {
  agent_id: number
  area_id: number | null
  counted_at: Timestamp
  day: string
  id: Generated<number>
  meter: string
  quantity: number
}

export interface MeterPrice {
  first_day: string
  id: Generated<number>
  made_at: Timestamp
  made_by: string
  made_by_id: number | null
  meter: string
  per_quantity: number
  price_cents: number
  reason: string
  version: number
}

export interface MeterTally {
  agent_id: number
  at: Timestamp
  id: Generated<number>
  meter: string
  quantity: number
}

export interface Migration {
  applied_at: Generated<Timestamp>
  checksum: string
  name: string
}

export interface MoneyAction {
  act: string
  acted_at: Timestamp
  agent_id: number
  area_id: number | null
  cents: number
  decided_at: Timestamp | null
  decided_by: string | null
  decided_by_id: number | null
  expires_at: Timestamp | null
  id: Generated<number>
  input: Json | null
  input_hash: string | null
  note: Generated<string>
  operator_id: number
  operator_name: string
  reason: string
  rider_id: number | null
  state: string
}

export interface Notice {
  agent_id: number
  area_id: number | null
  at: Timestamp
  codes: string[] | null
  event: string
  id: Generated<number>
  key: string
  operator_ids: ArrayType<number> | null
  path: string
  spread_at: Timestamp | null
  subject: string
  values: Json
}

export interface NoticeAddress {
  agent_id: number
  asked_at: Timestamp
  confirmed_at: Timestamp | null
  email_sealed: string | null
  guesses: Generated<number>
  operator_id: number
  pending_sealed: string | null
}

export interface NoticeDelivery {
  agent_id: number
  attempts: Generated<number>
  body: string
  channel: string
  created_at: Timestamp
  event: string
  id: Generated<number>
  language: string
  lease_until: Timestamp | null
  next_at: Timestamp | null
  notice_id: number
  operator_id: number | null
  operator_name: string
  path: string
  read_at: Timestamp | null
  reason: string | null
  sent_at: Timestamp | null
  state: string
  subject: string
  template_id: number | null
  title: string
}

export interface NoticeRule {
  agent_id: number
  changed_at: Timestamp
  changed_by: string
  changed_by_id: number | null
  channels: string[]
  event: string
  is_urgent: boolean
  repeat_minutes: number
  role_ids: ArrayType<number> | null
  version: Generated<number>
}

export interface NoticeSetting {
  agent_id: number
  changed_at: Timestamp
  changed_by: string
  changed_by_id: number | null
  email_cap: number
  push_cap: number
  quiet_from: number
  quiet_to: number
  sms_cap: number
  version: Generated<number>
  webhook_sealed: string | null
}

export interface NoticeTemplate {
  agent_id: number
  body: string | null
  channel: string
  event: string
  id: Generated<number>
  language: string
  made_at: Timestamp
  made_by: string
  made_by_id: number | null
  title: string | null
  version: number
}

export interface Objection {
  accepted_cents: Generated<number>
  agent_id: number
  back_cents: Generated<number>
  bill_id: number | null
  deadline_at: Timestamp
  decided_at: Timestamp | null
  decided_by: string | null
  decided_by_id: number | null
  disputed_cents: number
  held_paid_cents: number
  id: Generated<number>
  note: Generated<string>
  photo_ids: Generated<string[]>
  reason: string
  reviewer_id: number | null
  split_bill_id: number | null
  state: Generated<string>
  submitted_at: Timestamp
  submitted_by: string
  submitted_by_id: number | null
  text: string
  transit_cents: Generated<number>
}

export interface ObjectionEvent {
  act: string
  agent_id: number
  at: Timestamp
  by_id: number | null
  by_name: string
  id: Generated<number>
  note: Generated<string>
  objection_id: number
}

export interface ObjectionLine {
  accepted_cents: Generated<number>
  agent_id: number
  cents: number
  line_id: number
  objection_id: number
}

export interface ObjectionSplitLine {
  accepted_cents: Generated<number>
  agent_id: number
  cents: number
  entry_number: number
  objection_id: number
}

export interface Operator {
  agent_id: number
  all_areas: Generated<boolean>
  created_at: Generated<Timestamp>
  id: Generated<number>
  language: Generated<string>
  last_login_at: Timestamp | null
  layout: Generated<Json>
  level: number
  name: string
  notices: Generated<string[]>
  op_man_id: string
  phone_hash: string | null
  phone_sealed: string | null
  removed_at: Timestamp | null
  role_id: number | null
  state: Generated<string>
  support_account: string | null
  totp_enabled_at: Timestamp | null
  version: Generated<number>
}

export interface OperatorArea {
  agent_id: number
  area_id: number
  operator_id: number
}

export interface OperatorDevice {
  agent_id: number
  approved: Generated<boolean>
  decided_at: Timestamp | null
  decided_by: string | null
  device_hash: string
  first_seen_at: Timestamp
  id: Generated<number>
  last_seen_at: Timestamp
  name: string
  operator_id: number
  requested_at: Timestamp | null
  user_agent: string
}

export interface OperatorPasskey {
  created_at: Timestamp
  credential_id: string
  id: Generated<number>
  last_used_at: Timestamp | null
  name: string
  operator_id: number
  public_key: Buffer
  rp_id: string
  synced: boolean
  transports: Generated<string[]>
  use_count: Generated<number>
}

export interface OperatorRecoveryCode {
  code_hash: string
  operator_id: number
  used_at: Timestamp | null
}

export interface OperatorTotp {
  begun_at: Timestamp
  enabled_at: Timestamp | null
  failures: Generated<number>
  failures_since: Timestamp | null
  last_step: Generated<number>
  operator_id: number
  secret_sealed: string
}

export interface OrderLine {
  agent_id: number
  amount_cents: number
  area_id: number
  bearer: string | null
  benefit: string | null
  code: string
  day: string | null
  n: number
  order_id: number
  quantity: number
  reason: string
  unit_cents: number
}

export interface OrderRefund {
  agent_id: number
  area_id: number
  cents: number
  id: Generated<number>
  operator_id: number | null
  operator_name: string
  order_id: number
  parts: Generated<Json>
  reason: string
  refunded_at: Timestamp
}

export interface ParkApplication {
  agent_id: number
  applicant_id: number
  applicant_name: string
  applied_at: Timestamp
  area_id: number
  capacity: number
  decided_at: Timestamp | null
  decided_by: string | null
  fence_id: number | null
  id: Generated<number>
  lat: number
  lng: number
  name: string
  note: Generated<string>
  photo_ids: Generated<string[]>
  radius_m: number
  reason: string
  state: Generated<string>
}

export interface PartnerKey {
  agent_id: number
  created_at: Timestamp
  created_by: string
  expires_at: Timestamp
  hint: string
  id: Generated<number>
  key_hash: string
  last_used_at: Timestamp | null
  name: string
  per_minute: number
  previous_hash: string | null
  previous_until: Timestamp | null
  revoked_at: Timestamp | null
  rotated_at: Timestamp | null
  scopes: string[]
  version: Generated<number>
}

export interface PartnerKeyDay {
  agent_id: number
  calls: number
  day: string
  key_id: number
  refused: number
}

export interface Payment {
  agent_id: number
  became: string | null
  cents: number
  channel: string
  created_at: Timestamp
  gift_cents: Generated<number>
  id: Generated<number>
  number: string
  paid_at: Timestamp | null
  parameters: Json | null
  payer_hash: string | null
  purpose: string
  request_id: string | null
  rider_id: number
  state: Generated<string>
  subject_id: number | null
  trade_number: string | null
}

export interface PaymentEvent {
  agent_id: number
  channel: string
  event_id: string
  kind: string
  number: string
  received_at: Timestamp
}

export interface PaymentRefund {
  agent_id: number
  attempts: Generated<number>
  cents: number
  created_at: Timestamp
  done_at: Timestamp | null
  fault: Generated<string>
  id: Generated<number>
  number: string
  payment_id: number
  reason: string
  returned_at: Timestamp | null
  returned_by: string | null
  state: Generated<string>
}

export interface Photo {
  agent_id: number
  area_id: number | null
  height: number
  id: string
  kept_at: Timestamp
  kind: string
  purpose: string
  sealed: Buffer
  unattached_since: Timestamp | null
  width: number
}

export interface PlatformCharge {
  account: string
  agent_id: number
  cents: number
  charged_at: Timestamp
  direction: string
  id: Generated<number>
  operator_id: number | null
  operator_name: string
  reason: string
  rider_id: number
}

export interface PriceVersion {
  agent_id: number
  area_id: number
  author_id: number | null
  author_name: string
  created_at: Timestamp
  id: Generated<number>
  name: string
  rules: Json
  valid_from: Timestamp
}

export interface PriceWithdrawal {
  agent_id: number
  area_id: number
  version_id: number
  withdrawn_at: Timestamp
  withdrawn_by: string
  withdrawn_by_id: number
}

export interface ProductionUnit {
  activated_at: Timestamp | null
  agent_id: number
  area_id: number
  delivered_at: Timestamp | null
  iccid: string | null
  import_id: number | null
  mac: string | null
  made_at: Timestamp
  retired_at: Timestamp | null
  serial: string | null
  stage: string
  tested_at: Timestamp | null
  vehicle_id: number
}

export interface QuickLoginUsed {
  nonce_hash: string
  used_at: Timestamp
}

export interface RebalancePlan {
  agent_id: number
  area_id: number
  assignee_id: number | null
  assignee_name: string | null
  author_id: number
  author_name: string
  distance_m: number
  expected_gain: number
  hours: number
  id: Generated<number>
  made_at: Timestamp
  minutes: number
  stops: Generated<Json>
}

export interface RebalanceVehicle {
  agent_id: number
  area_id: number
  plan_id: number
  task_id: number | null
  vehicle_id: number
}

export interface RechargeUse {
  activity_id: number
  agent_id: number
  asked_at: Timestamp
  cents: number
  gift_cents: number
  id: number
  rewards: Json
  rider_id: number
  settled_at: Timestamp | null
  state: Generated<string>
  version: number
  why: string | null
}

export interface ReconciliationRun {
  checked_at: Timestamp
  entries: Generated<number>
  faults: Generated<Json>
  id: Generated<number>
  postings: Generated<number>
  state: Generated<string>
  took_ms: Generated<number>
}

export interface RepairPart {
  agent_id: number
  id: Generated<number>
  name: string
  price_cents: number
  removed_at: Timestamp | null
  stock: Generated<number>
  stock_low: Generated<number>
  unit: string
  version: Generated<number>
}

export interface RepairPartMovement {
  agent_id: number
  at: Timestamp
  cents: Generated<number>
  id: Generated<number>
  note: Generated<string>
  operator_name: string
  part_id: number
  pieces: number
  task_id: number | null
}

export interface RepairReason {
  agent_id: number
  for_riders: Generated<boolean>
  id: Generated<number>
  name: string
  position: Generated<number>
  version: Generated<number>
}

export interface ReportBacklog {
  agent_id: number
  area_id: number
  hour: Timestamp
}

export interface ReportCalendar {
  agent_id: number
  asked_at: Timestamp | null
  asked_by: string | null
  asked_by_id: number | null
  asked_day_starts_at: number | null
  asked_zone: string | null
  changed_at: Timestamp
  changed_by: string
  changed_by_id: number
  day_starts_at: Generated<number>
  zone: Generated<string>
}

export interface ReportCompany {
  agent_id: number
  area_ids: ArrayType<number>
}

export interface ReportDelivery {
  agent_id: number
  due_at: Timestamp
  ended_at: Timestamp | null
  export_id: string | null
  first_day: string
  id: Generated<number>
  last_day: string
  operator_id: number
  operator_name: string
  schedule_id: number
  state: string
}

export interface ReportFleetCompanyDay {
  agent_id: number
  day: string
  ridden: number
  vehicles: number
}

export interface ReportFresh {
  at: Timestamp
  id: Generated<number>
}

export interface ReportMoneyCompanyDay {
  account: string
  agent_id: number
  card_kind: string
  channel: string
  credit_cents: number
  credits: number
  day: string
  debit_cents: number
  debits: number
  kind: string
}

export interface ReportMoneyCompanyHour {
  account: string
  agent_id: number
  card_kind: string
  channel: string
  credit_cents: number
  credits: number
  day: string
  debit_cents: number
  debits: number
  hour: Timestamp
  kind: string
}

export interface ReportMoneyCursor {
  agent_id: number
  entry_number: number
}

export interface ReportMoneyDay {
  account: string
  agent_id: number
  area_id: number | null
  card_kind: string
  channel: string
  credit_cents: number
  credits: number
  day: string
  debit_cents: number
  debits: number
  kind: string
}

export interface ReportMoneyHour {
  account: string
  agent_id: number
  area_id: number | null
  card_kind: string
  channel: string
  credit_cents: number
  credits: number
  day: string
  debit_cents: number
  debits: number
  hour: Timestamp
  kind: string
}

export interface ReportMoneyMonth {
  account: string
  agent_id: number
  area_id: number | null
  card_kind: string
  channel: string
  credit_cents: number
  credits: number
  day: string
  debit_cents: number
  debits: number
  kind: string
}

export interface ReportRideCompanyDay {
  agent_id: number
  cancelled: number
  charged_cents: number
  cut: string
  day: string
  distance_m: number
  due_cents: number
  due_rides: number
  failed: number
  free_rides: number
  refunded_cents: number
  ride_seconds: number
  rides: number
  short_rides: number
  value: string
}

export interface ReportRideCompanyHour {
  agent_id: number
  cancelled: number
  charged_cents: number
  cut: string
  day: string
  distance_m: number
  due_cents: number
  due_rides: number
  failed: number
  free_rides: number
  hour: Timestamp
  refunded_cents: number
  ride_seconds: number
  rides: number
  short_rides: number
  value: string
}

export interface ReportRideDay {
  agent_id: number
  area_id: number
  cancelled: number
  charged_cents: number
  cut: string
  day: string
  distance_m: number
  due_cents: number
  due_rides: number
  failed: number
  free_rides: number
  refunded_cents: number
  ride_seconds: number
  rides: number
  short_rides: number
  value: string
}

export interface ReportRideHour {
  agent_id: number
  area_id: number
  cancelled: number
  charged_cents: number
  cut: string
  day: string
  distance_m: number
  due_cents: number
  due_rides: number
  failed: number
  free_rides: number
  hour: Timestamp
  refunded_cents: number
  ride_seconds: number
  rides: number
  short_rides: number
  value: string
}

export interface ReportRideMonth {
  agent_id: number
  area_id: number
  cancelled: number
  charged_cents: number
  cut: string
  day: string
  distance_m: number
  due_cents: number
  due_rides: number
  failed: number
  free_rides: number
  refunded_cents: number
  ride_seconds: number
  rides: number
  short_rides: number
  value: string
}

export interface ReportSchedule {
  agent_id: number
  area_ids: ArrayType<number> | null
  channels: string[] | null
  created_at: Timestamp
  created_by: string
  created_by_id: number
  format: string
  frequency: string
  grouped_by: string
  hour: number
  id: Generated<number>
  last_at: Timestamp | null
  month_day: number | null
  name: string
  next_at: Timestamp
  receiver_ids: ArrayType<number>
  report: string
  span: string
  state: Generated<string>
  weekday: number | null
}

export interface ReportStale {
  agent_id: number
  area_id: number
  hour: Timestamp
}

export interface RetiredKey {
  id: Generated<number>
  kept_at: Generated<Timestamp>
  key_id: string
  key_sealed: string
  purpose: string
}

export interface ReturnCheck {
  accepted: boolean
  agent_id: number
  area_id: number
  checked_at: Timestamp
  distance_m: number | null
  fence_id: number | null
  fence_name: string | null
  fence_version: number | null
  id: Generated<number>
  kind: string
  lat: number | null
  lng: number | null
  order_id: number
}

export interface ReturnPhoto {
  agent_id: number
  area_id: number
  order_id: number
  photo_id: string
  source: string
}

export interface ReturnReview {
  agent_id: number
  area_id: number
  cause: string
  claim: Generated<string>
  decided_at: Timestamp | null
  decided_by: string | null
  decided_by_id: number | null
  fee_cents: number
  note: Generated<string>
  opened_at: Timestamp
  order_id: number
  state: Generated<string>
}

export interface Reward {
  activity_id: number | null
  agent_id: number
  card_id: number | null
  cause_id: number
  cause_kind: string
  cents: number
  coupon_ids: Generated<ArrayType<number>>
  due_at: Timestamp | null
  end_reason: Generated<string>
  ended_at: Timestamp | null
  ended_by: string | null
  ended_by_id: number | null
  gift_lot_id: number | null
  given_at: Timestamp | null
  granted_at: Timestamp
  granted_by: string | null
  granted_by_id: number | null
  id: Generated<number>
  kept_cents: number | null
  kind: string
  n: number
  name: string
  note: Generated<string>
  rider_id: number
  state: string
  version: number | null
  what: Json
}

export interface Rework {
  agent_id: number
  area_id: number
  done_at: Timestamp | null
  done_by: string | null
  id: Generated<number>
  note: Generated<string>
  opened_at: Timestamp
  opened_by: string
  reason: Generated<string>
  state: string
  test_id: number | null
  vehicle_id: number
}

export interface RideOrder {
  agent_id: number
  amount_cents: Generated<number>
  app_id: number | null
  area_id: number
  benefit_rules: Generated<number>
  benefits: Generated<Json>
  cell: Generated<number>
  changed_at: Timestamp
  charged_cents: number | null
  distance_m: number | null
  end_lat: number | null
  end_lng: number | null
  ended_at: Timestamp | null
  failure: string | null
  id: Generated<number>
  lock_command_id: number | null
  placed_at: Timestamp
  price_version_id: number | null
  refunded_cents: Generated<number>
  reserved_until: Timestamp | null
  return_kind: string | null
  rider_id: number
  skipped_benefits: Generated<Json>
  start_lat: number | null
  start_lng: number | null
  started_at: Timestamp | null
  state: string
  trip_id: number | null
  unlock_command_id: number | null
  vehicle_id: number
  vehicle_number: string
}

export interface Rider {
  agent_id: number
  balance_mark: Generated<number>
  banned: Generated<boolean>
  cell: Generated<number>
  cert_hash: string | null
  cert_sealed: string | null
  certificate_kind: string | null
  certified_at: Timestamp | null
  closed_at: Timestamp | null
  created_at: Timestamp
  id: Generated<number>
  last_active_at: Timestamp
  name_hash: string | null
  name_sealed: string | null
  phone_hash: string
  phone_sealed: string
}

export interface RiderApp {
  agent_id: number
  created_at: Timestamp
  id: Generated<number>
  key_hash: string
  name: string
  state: Generated<string>
}

export interface RiderBalanceCursor {
  book_id: number
  entry_number: number
}

export interface RiderBan {
  agent_id: number
  begun_at: Timestamp
  id: Generated<number>
  is_over: Generated<boolean>
  lift_reason: Generated<string>
  lifted_at: Timestamp | null
  lifted_by: string | null
  lifted_by_id: number | null
  operator_id: number | null
  operator_name: string
  reason: string
  rider_id: number
  until: Timestamp | null
}

export interface RiderCard {
  agent_id: number
  area_ids: Generated<ArrayType<number>>
  asked_at: Timestamp
  begins_on: string | null
  bought_at: Timestamp | null
  days: number
  earned_days: Generated<number>
  earned_rides: Generated<number>
  earnings: Generated<number>
  ends_on: string | null
  free_minutes: number | null
  held_until: Timestamp | null
  id: Generated<number>
  kind: string
  max_off_cents: number | null
  name: string
  paid_by: string | null
  percent_off: number | null
  price_cents: number
  product_id: number
  refund_reason: Generated<string>
  refunded_at: Timestamp | null
  refunded_by: string | null
  refunded_cents: Generated<number>
  request_id: string
  revoke_reason: Generated<string>
  revoked_at: Timestamp | null
  revoked_by: string | null
  ridden: Generated<number>
  rider_id: number
  rides: number | null
  rides_per_day: number | null
  state: Generated<string>
  version: Generated<number>
}

export interface RiderCertificate {
  agent_id: number
  decided_at: Timestamp | null
  decided_by: string | null
  decided_by_id: number | null
  expires_at: Timestamp | null
  id: Generated<number>
  kind: string
  organisation: string
  photo_ids: Generated<string[]>
  reason: Generated<string>
  rider_id: number
  state: Generated<string>
  submitted_at: Timestamp
}

export interface RiderDay {
  agent_id: number
  cents: number
  day: string
  last_area_id: number
  rider_id: number
  rides: number
}

export interface RiderDeposit {
  agent_id: number
  cents: number
  frozen_cents: Generated<number>
  id: number
  paid_at: Timestamp
  recovered_cents: Generated<number>
  refunded_cents: Generated<number>
  rider_id: number
  state: Generated<string>
}

export interface RiderDevice {
  agent_id: number
  app_id: number | null
  app_version: string
  device_hash: string
  first_seen_at: Timestamp
  id: Generated<number>
  last_seen_at: Timestamp
  model: string
  rider_id: number
  system: string
  system_family: Generated<string>
}

export interface RiderImport {
  added: number
  agent_id: number
  bad: number
  booked: number | null
  booked_cents: number | null
  cents: number
  created_at: Timestamp
  created_by: string
  created_by_id: number
  ended_at: Timestamp | null
  ended_by: string | null
  faults: Json
  id: Generated<number>
  name: string
  refused_cents: number | null
  rows_sealed: string | null
  sha256: string
  state: Generated<string>
  total: number
}

export interface RiderMessage {
  agent_id: number
  body: string
  campaign_id: number | null
  id: Generated<number>
  is_test: Generated<boolean>
  read_at: Timestamp | null
  rider_id: number
  sent_at: Timestamp
  title: string
}

export interface RiderRebind {
  agent_id: number
  asked_at: Timestamp
  claim: Generated<string>
  decided_at: Timestamp | null
  decided_by: string | null
  decided_by_id: number | null
  holder_id: number | null
  id: Generated<number>
  kind: string
  name_sealed: string | null
  new_hash: string
  new_sealed: string
  old_sealed: string | null
  photo_ids: Generated<string[]>
  reason: Generated<string>
  rider_id: number
  state: Generated<string>
}

export interface RiderReveal {
  agent_id: number
  field: string
  id: Generated<number>
  operator_id: number
  operator_name: string
  reason: string
  rider_id: number
  shown_at: Timestamp
}

export interface RiderTag {
  agent_id: number
  made_at: Timestamp
  made_by: string
  rider_id: number
  tag: string
}

export interface RiderUse {
  agent_id: number
  cents: number
  cents_180: Generated<number>
  cents_30: Generated<number>
  cents_365: Generated<number>
  cents_7: Generated<number>
  cents_90: Generated<number>
  last_area_id: number
  last_ride_at: Timestamp
  rider_id: number
  rides: number
  rides_180: Generated<number>
  rides_30: Generated<number>
  rides_365: Generated<number>
  rides_7: Generated<number>
  rides_90: Generated<number>
  spans_day: Generated<string>
  spans_until: Generated<string>
}

export interface Role {
  agent_id: number
  created_at: Generated<Timestamp>
  description: Generated<string>
  id: Generated<number>
  name: string
  state: Generated<string>
  updated_at: Generated<Timestamp>
  updated_by: string | null
  version: Generated<number>
}

export interface RolePermission {
  agent_id: number
  code: string
  role_id: number
}

export interface Screening {
  agent_id: number
  filter: Json
  id: Generated<number>
  name: string
  operator_id: number
  shared: Generated<boolean>
  updated_at: Timestamp
}

export interface ScreenPairing {
  address_hash: string
  code_hash: string
  collect_hash: string
  collected_at: Timestamp | null
  created_at: Timestamp
  expires_at: Timestamp
  id: Generated<number>
  screen_id: number | null
}

export interface SecretCheck {
  digest: string
  id: Generated<number>
  written_at: Timestamp
}

export interface Segment {
  agent_id: number
  changed_at: Timestamp
  changed_by: string
  created_at: Timestamp
  id: Generated<number>
  name: string
  size: number | null
  sized_at: Timestamp | null
  state: Generated<string>
  version: Generated<number>
}

export interface SegmentVersion {
  agent_id: number
  made_at: Timestamp
  made_by: string
  made_by_id: number | null
  segment_id: number
  terms: Json
  version: number
}

export interface ServiceArea {
  agent_id: number
  area_id: Generated<number>
  bounds: Generated<string | null>
  centre_lat: number
  centre_lng: number
  created_at: Generated<Timestamp>
  id: Generated<number>
  name: string
  ring: Json
  state: Generated<string>
}

export interface ServiceBill {
  adjusted_cents: Generated<number>
  agent_id: number
  amount_cents: number
  due_at: Timestamp
  free_cents: Generated<number>
  free_reason: Generated<string>
  freed_by: string | null
  freed_by_id: number | null
  held_cents: Generated<number>
  id: Generated<number>
  issued_at: Timestamp
  month: string
  number: string
  open_cents: Generated<number | null>
  paid_cents: Generated<number>
  state: Generated<string | null>
}

export interface ServiceBillLine {
  adjusted_cents: Generated<number>
  agent_id: number
  amount_cents: number
  area_id: number | null
  bill_id: number
  disputed_cents: Generated<number>
  id: Generated<number>
  meter: string
  price_id: number
  quantity: number
}

export interface Session {
  address: string
  created_at: Timestamp
  csrf_hash: string
  device_id: number | null
  expires_at: Timestamp
  handle: string
  id: Generated<number>
  keys_sealed: string | null
  last_seen_at: Timestamp
  login_kind: string
  operator_id: number
  previous_login_at: Timestamp | null
  revoked_at: Timestamp | null
  screen_id: number | null
  second_factor_at: Timestamp | null
  sid_hash: string
  user_agent: string
}

export interface SettingChange {
  agent_id: number
  area_id: number | null
  code: string
  id: Generated<number>
  made_at: Timestamp
  made_by: string
  made_by_id: number | null
  value: Json | null
}

export interface SmsCode {
  code_hash: string
  device_hash: string
  expires_at: Timestamp
  id: Generated<number>
  phone_hash: string
  sent_at: Timestamp
  used_at: Timestamp | null
}

export interface SmsFailure {
  address_hash: string
  failed_at: Timestamp
  id: Generated<number>
}

export interface SmsGuess {
  device_hash: string
  failures: Generated<number>
  failures_since: Timestamp | null
  last_failed_at: Timestamp
  phone_hash: string
  total: Generated<number>
}

export interface SmsSend {
  address_hash: string
  device_hash: Generated<string>
  id: Generated<number>
  is_real: boolean
  phone_hash: string
  sent_at: Timestamp
}

export interface SpendNote {
  agent_id: number
  at: Timestamp
  bill_id: number
  cents: number
  id: Generated<number>
}

export interface SplitBill {
  agent_id: number
  area_id: number | null
  closed_at: Timestamp
  day: string
  fee_cents: number
  hash: Buffer
  id: Generated<number>
  lines: number
  owner_cents: number
  paid_cents: number
  parties: Json
  partner_borne_cents: number
  platform_borne_cents: number
}

export interface SplitCursor {
  agent_id: number
  entry_number: Generated<number>
  open_day: string
}

export interface SplitLine {
  agent_id: number
  area_id: number | null
  at: Timestamp
  channel_cents: Generated<number>
  day: string
  entry_number: number
  fee_cents: number
  kind: string
  order_id: number | null
  owner_cents: number
  paid_cents: number
  parties_cents: number
  partner_borne_cents: number
  party_cents: ArrayType<number>
  platform_borne_cents: number
  terms_id: number | null
}

export interface SplitParty {
  agent_id: number
  id: Generated<number>
  name: string
}

export interface SplitReserve {
  agent_id: number
  cents: number
  id: Generated<number>
  made_at: Timestamp
  made_by: string
  made_by_id: number | null
  reason: string
}

export interface SplitSettlement {
  agent_id: number
  available_cents: number
  day: string
  held_cents: number
  held_for: Generated<Json>
  number: number
  owner_cents: number
  parties: Json
  repaid_cents: number
  reserved_cents: number
  settled_at: Timestamp
}

export interface SplitStatement {
  agent_id: number
  area_names: Json
  bills: number
  borne_cents: number
  company: string
  corrections_cents: number
  fee_cents: number
  first_day: string
  hash: Buffer
  id: Generated<number>
  last_day: string
  lines: number
  owner_cents: number
  paid_cents: number
  parties_cents: number
  previous_hash: Buffer | null
  sealed_at: Timestamp
}

export interface SplitStatementPeriod {
  agent_id: number
  id: Generated<number>
  made_at: Timestamp
  made_by: string
  made_by_id: number | null
  period: string
  reason: string
}

export interface SplitTerms {
  agent_id: number
  area_id: number | null
  first_day: string
  id: Generated<number>
  made_at: Timestamp
  made_by: string
  made_by_id: number | null
  reason: string
  terms: Json
  version: number
}

export interface SubAccount {
  added_at: Timestamp
  added_by: string
  added_by_id: number | null
  agent_id: number
  asks: Generated<number>
  bank_number: string | null
  id: Generated<number>
  name: string
  next_ask_at: Timestamp | null
  note: Generated<string>
  number: string
  reason: Generated<string>
  state: Generated<string>
}

export interface Task {
  agent_id: number
  area_id: number
  assignee_id: number | null
  cause_gone_at: Timestamp | null
  claimed_at: Timestamp | null
  done_at: Timestamp | null
  due_at: Timestamp | null
  from_lat: number | null
  from_lng: number | null
  id: Generated<number>
  kind: string
  note: Generated<string>
  on_site_at: Timestamp | null
  opened_at: Timestamp
  /**
   * What kept somebody from finishing it, until it is handed out anew or done.
   */
  outcome: string | null
  outcome_at: Timestamp | null
  person_name: string | null
  priority: Generated<number>
  source: string
  state: string
  to_fence_id: number | null
  to_lat: number | null
  to_lng: number | null
  to_name: Generated<string>
  trigger: string | null
  trigger_detail: Generated<string>
  trigger_value: number | null
  vehicle_id: number
}

export interface TaskPay {
  agent_id: number
  cents: number
  kind: string
  reviewed: Generated<boolean>
}

export interface TaskProgress {
  activity_id: number
  agent_id: number
  begins_on: string
  changed_at: Timestamp
  ends_on: string
  id: Generated<number>
  level: Generated<number>
  rider_id: number
  value: number
}

export interface TaskResult {
  agent_id: number
  area_id: number
  battery_after: number | null
  battery_before: number | null
  checks_failed: Generated<string[]>
  /**
   * What was looked at before the task was finished and was in order.
   */
  checks_fine: Generated<string[]>
  lat: number | null
  lng: number | null
  note: Generated<string>
  parts_cents: Generated<number>
  pay_cents: Generated<number>
  photo_ids: Generated<string[]>
  reason: string | null
  scanned_number: string | null
  task_id: number
}

export interface TaskReview {
  agent_id: number
  area_id: number
  note: Generated<string>
  reviewed_at: Timestamp | null
  reviewer_id: number | null
  reviewer_name: string | null
  state: Generated<string>
  task_id: number
}

export interface TaskRide {
  activity_id: number
  agent_id: number
  amount: number
  day: string
  order_id: number
  progress_id: number
  taken_back: Generated<boolean>
}

export interface TaskRuleVersion {
  agent_id: number
  area_id: number
  author_id: number | null
  author_name: string
  created_at: Timestamp
  id: Generated<number>
  note: Generated<string>
  rules: Json
  version: number
}

export interface TaskStep {
  agent_id: number
  area_id: number
  at: Timestamp
  id: Generated<number>
  lat: number | null
  lng: number | null
  note: Generated<string>
  operator_id: number | null
  operator_name: string | null
  photo_ids: Generated<string[]>
  step: string
  task_id: number
}

export interface TelephoneHoliday {
  agent_id: number
  day: string
  name: string
}

export interface TelephoneLine {
  agent_id: number
  area_ids: Generated<ArrayType<number>>
  changed_at: Timestamp
  changed_by: string
  id: Generated<number>
  is_closed_on_holidays: Generated<boolean>
  label: string
  label_en: Generated<string>
  number: string
  priority: Generated<number>
  spans: Json
  state: Generated<string>
  version: Generated<number>
}

export interface TelephoneVersion {
  agent_id: number
  content: Json
  line_id: number
  made_at: Timestamp
  made_by: string
  version: number
}

export interface Ticket {
  agent_id: number
  area_id: number | null
  assignee_id: number | null
  assignee_name: string | null
  changed_at: Timestamp
  due_at: Timestamp
  finding: string | null
  id: Generated<number>
  is_done: Generated<boolean>
  kind: string
  opened_at: Timestamp
  order_id: number | null
  photo_ids: Generated<string[]>
  rating: number | null
  reopened_count: Generated<number>
  request_id: string | null
  resolved_at: Timestamp | null
  rider_id: number | null
  source: string
  state: Generated<string>
  text: string
  vehicle_id: number | null
  vehicle_number: string | null
}

export interface TicketEvent {
  agent_id: number
  area_id: number | null
  assignee_name: string | null
  at: Timestamp
  author_id: number | null
  author_name: string | null
  finding: string | null
  from_rider: Generated<boolean>
  id: Generated<number>
  photo_ids: Generated<string[]>
  step: string
  text: Generated<string>
  ticket_id: number
}

export interface TrackSegment {
  agent_id: number
  area_id: number
  battery_end: number | null
  battery_start: number | null
  distance_m: Generated<number>
  end_lat: number
  end_lng: number
  ended_at: Timestamp
  kind: string
  point_count: Generated<number>
  points: Generated<Buffer>
  start_lat: number
  start_lng: number
  started_at: Timestamp
  vehicle_id: number
}

export interface Trip {
  agent_id: number
  area_id: number
  battery_end: number | null
  battery_start: number | null
  distance_m: number | null
  duration_s: number | null
  end_lat: number | null
  end_lng: number | null
  ended_at: Timestamp | null
  id: Generated<number>
  rider_ref: string | null
  start_lat: number | null
  start_lng: number | null
  started_at: Timestamp
  vehicle_id: number
}

export interface UnitEvent {
  after: string | null
  agent_id: number
  area_id: number
  at: Timestamp
  before: string | null
  failures: Json | null
  id: Generated<number>
  kind: string
  note: Generated<string>
  part: string | null
  person_name: string | null
  vehicle_id: number
}

export interface UnknownDevice {
  address: string
  agent_id: number
  area_id: number | null
  attempts: Generated<number>
  decided_at: Timestamp | null
  decided_by: number | null
  decided_by_name: string | null
  decision_reason: string | null
  first_seen_at: Timestamp
  imei: string
  last_seen_at: Timestamp
  protocol: string
  reason: Generated<string>
  state: Generated<string>
  told_at: Timestamp | null
}

export interface UpgradeAction {
  agent_id: number
  area_id: number
  artefact_id: number
  begun_at: Timestamp | null
  campaign_id: number
  changed_at: Timestamp
  deadline_at: Timestamp | null
  failure: string | null
  finished_at: Timestamp | null
  from_version: string | null
  group_no: number
  id: Generated<number>
  is_held: Generated<boolean>
  kind: string
  package: Generated<number>
  packages: Generated<number>
  queued_at: Timestamp
  repeats: Generated<number>
  resumes: Generated<number>
  state: string
  to_version: string
  vehicle_id: number
  waits_for: string | null
}

export interface UpgradeCampaign {
  agent_id: number
  area_ids: ArrayType<number>
  artefact_id: number
  created_at: Timestamp
  created_by: string
  finished_at: Timestamp | null
  group_no: Generated<number>
  group_started_at: Timestamp | null
  id: Generated<number>
  name: string
  paused_by: string | null
  reason: Generated<string>
  resumed_at: Timestamp | null
  rollback_of: number | null
  started_at: Timestamp | null
  state: string
  terms: Json
}

export interface UpgradeStep {
  action_id: number
  agent_id: number
  area_id: number
  at: Timestamp
  detail: Generated<string>
  id: Generated<number>
  package: number
  step: string
}

export interface Vehicle {
  agent_id: number
  area_id: number
  created_at: Timestamp
  id: Generated<number>
  last_ride_at: Timestamp | null
  model: string
  number: string
  number_backwards: Generated<string>
  plate: string | null
  protocol: string
  state: string
  state_before: string | null
  state_changed_at: Timestamp
}

export interface VehicleAlarm {
  agent_id: number
  area_id: number
  closed_at: Timestamp | null
  fixed_by: string | null
  fixed_by_id: number | null
  id: Generated<number>
  kind: string
  last_at: Timestamp
  note: Generated<string>
  opened_at: Timestamp
  times: Generated<number>
  vehicle_id: number
}

export interface VehicleCommand {
  acknowledged_at: Timestamp | null
  agent_id: number
  area_id: number
  batch_id: string | null
  expires_at: Timestamp
  failure: string | null
  finished_at: Timestamp | null
  id: Generated<number>
  kind: string
  operator_id: number
  operator_name: string
  parameters: Json | null
  queued_at: Timestamp
  reason: string
  sent_at: Timestamp | null
  state: string
  vehicle_id: number
}

export interface VehicleEvent {
  agent_id: number
  area_id: number
  cause: string
  event: string
  from_state: string
  id: Generated<number>
  occurred_at: Timestamp
  recorded_at: Timestamp
  to_state: string
  vehicle_id: number
}

export interface VehicleImport {
  agent_id: number
  area_id: number
  bad: number
  committed_at: Timestamp | null
  committed_by: string | null
  created_at: Timestamp
  created_by: string
  ended_at: Timestamp | null
  ended_by: string | null
  id: Generated<number>
  made: Generated<number>
  name: string
  protocol: string
  sha256: string
  state: Generated<string>
  total: number
}

export interface VehicleImportRow {
  agent_id: number
  area_id: number
  iccid: string
  id: Generated<number>
  imei: string
  import_id: number
  is_bad: Generated<boolean>
  line: number
  mac: string
  model: string
  number: string
  problems: string[]
  serial: string
}

export interface VehicleModel {
  changed_at: Timestamp
  changed_by: number
  changed_by_name: string
  name: string
  profile: Json
  protocol: string
  version: Generated<number>
}

export interface VehicleStatus {
  agent_id: number
  area_id: number
  battery_percent: number | null
  battery_version: number | null
  charging: boolean | null
  facts_at: Timestamp | null
  heading_deg: number | null
  heard_at: Timestamp | null
  lat: number | null
  lng: number | null
  locked: boolean | null
  odometer_m: number | null
  position_at: Timestamp | null
  signal: number | null
  speed_kmh: number | null
  told: Json | null
  vehicle_id: number
  version: Generated<number>
  voltage_v: number | null
}

export interface VoltageReplay {
  after_id: Generated<number>
  done: Generated<number>
  from_at: Timestamp
  revision: number
  started_at: Timestamp
  started_by: string
  state: string
  until_at: Timestamp
  vehicles: Generated<number>
  version_id: number
}

export interface VoltageReplayVehicle {
  agent_id: number
  alarms_replayed: number
  alarms_shown: number
  area_id: number
  changed: number
  last_replayed: number | null
  last_shown: number | null
  max_difference: number
  mean_difference: number
  readings: number
  vehicle_id: number
  version_id: number
}

export interface VoltageScheme {
  cells: number
  created_at: Timestamp
  created_by: string
  id: Generated<number>
  name: string
  note: Generated<string>
}

export interface VoltageVersion {
  changed_at: Timestamp
  changed_by: string
  charge_rise_v: number
  decided_by: string | null
  hysteresis_percent: number
  id: Generated<number>
  in_force_from: Timestamp | null
  in_force_until: Timestamp | null
  load_drop_v: number
  models: Json
  number: number
  points: Json
  revision: Generated<number>
  scheme_id: number
}

export interface WallScreen {
  agent_id: number
  area_ids: ArrayType<number> | null
  id: Generated<number>
  name: string
  operator_id: number | null
  operator_name: string
  pages: string[]
  paired_at: Timestamp
  removed_at: Timestamp | null
}

export interface Webhook {
  agent_id: number
  created_at: Timestamp
  created_by: string
  events: string[]
  failing_since: Timestamp | null
  failures: Generated<number>
  held_until: Timestamp | null
  id: Generated<number>
  is_paused_for_failure: Generated<boolean>
  last_sent_at: Timestamp | null
  lease_until: Timestamp | null
  name: string
  secret_sealed: string
  state: Generated<string>
  url: string
  version: Generated<number>
}

export interface WebhookDelivery {
  agent_id: number
  answer: string | null
  answer_status: number | null
  attempts: Generated<number>
  created_at: Generated<Timestamp>
  data: Json
  event: string
  fault: string | null
  first_tried_at: Timestamp | null
  id: Generated<number>
  next_at: Timestamp | null
  sent_at: Timestamp | null
  state: Generated<string>
  subject: string
  took_ms: number | null
  webhook_id: number
}

export interface Withdrawal {
  agent_id: number
  asked_at: Timestamp
  asked_by: string
  asked_by_id: number | null
  asks: Generated<number>
  bank_at: Generated<number>
  bank_number: string | null
  card_id: number
  cents: number
  changed_at: Timestamp
  day: string
  ended_at: Timestamp | null
  expires_at: Timestamp
  fee_cents: number
  id: Generated<number>
  needs_second: boolean
  next_at: Timestamp | null
  number: string
  paid_at: Timestamp | null
  reason: Generated<string>
  second_by: string | null
  second_by_id: number | null
  sends: Generated<number>
  sent_at: Timestamp | null
  state: string
  terms_version: number
}

export interface WithdrawalDay {
  agent_id: number
  cents: number
  day: string
}

export interface WithdrawalStep {
  agent_id: number
  at: Timestamp
  by_id: number | null
  by_name: string | null
  id: Generated<number>
  note: Generated<string>
  state: string
  withdrawal_id: number
}

export interface WithdrawalTerms {
  agent_id: number
  made_at: Timestamp
  made_by: string
  made_by_id: number | null
  reason: string
  terms: Json
  version: number
}

export interface WorkArea {
  agent_id: number
  area_id: number
  changed_at: Timestamp
  targets: Json
  version: Generated<number>
}

export interface WorkAreaPerson {
  agent_id: number
  area_id: number
  kinds: string[]
  operator_id: number
}

export interface WorkDay {
  agent_id: number
  area_id: number
  battery_after: Generated<number>
  battery_before: Generated<number>
  cancelled: Generated<number>
  day: string
  done: Generated<number>
  due: Generated<number>
  kind: string
  measured: Generated<number>
  on_time: Generated<number>
  parts_cents: Generated<number>
  pay_cents: Generated<number>
  person_id: number
  person_name: string
  rejected: Generated<number>
  spread: Generated<number[]>
  wait_seconds: Generated<number>
  with_photo: Generated<number>
  work_seconds: Generated<number>
}

export interface WorkDayCounted {
  agent_id: number | null
  area_id: number | null
  battery_after: number | null
  battery_before: number | null
  cancelled: number | null
  day: string | null
  done: number | null
  due: number | null
  kind: string | null
  measured: number | null
  on_time: number | null
  parts_cents: number | null
  pay_cents: number | null
  person_id: number | null
  person_name: string | null
  rejected: number | null
  spread: number[] | null
  wait_seconds: number | null
  with_photo: number | null
  work_seconds: number | null
}

export interface DB {
  access_change: AccessChange
  account_opening: AccountOpening
  activity: Activity
  activity_rider: ActivityRider
  activity_use: ActivityUse
  activity_version: ActivityVersion
  ad_day: AdDay
  ad_event: AdEvent
  ad_placement: AdPlacement
  ad_rider_day: AdRiderDay
  ad_total: AdTotal
  ad_version: AdVersion
  agent: Agent
  ally: Ally
  area_weather: AreaWeather
  asset_detail: AssetDetail
  audit_anchor: AuditAnchor
  audit_mention: AuditMention
  audit_record: AuditRecord
  bank_card: BankCard
  call_nonce: CallNonce
  campaign: Campaign
  campaign_rider: CampaignRider
  campaign_version: CampaignVersion
  card_product: CardProduct
  card_product_version: CardProductVersion
  card_use: CardUse
  channel_bill: ChannelBill
  channel_bill_line: ChannelBillLine
  channel_day: ChannelDay
  channel_difference: ChannelDifference
  charge_note: ChargeNote
  chat_conversation: ChatConversation
  chat_message: ChatMessage
  coupon: Coupon
  coupon_batch: CouponBatch
  coupon_template: CouponTemplate
  coupon_template_version: CouponTemplateVersion
  demand_search: DemandSearch
  demo_history: DemoHistory
  demo_history_day: DemoHistoryDay
  demo_trip_rider: DemoTripRider
  deposit_case: DepositCase
  deposit_setting: DepositSetting
  device: Device
  device_artefact: DeviceArtefact
  device_artefact_content: DeviceArtefactContent
  device_config: DeviceConfig
  device_lease: DeviceLease
  device_report: DeviceReport
  export_job: ExportJob
  export_part: ExportPart
  fact: Fact
  fact_cursor: FactCursor
  fact_number: FactNumber
  factory_terms: FactoryTerms
  factory_test: FactoryTest
  factory_test_step: FactoryTestStep
  fault_report: FaultReport
  feedback_event: FeedbackEvent
  feedback_ticket: FeedbackTicket
  fence: Fence
  fence_change: FenceChange
  financial_account: FinancialAccount
  fleet_day: FleetDay
  fleet_hour: FleetHour
  fleet_job: FleetJob
  franchise_application: FranchiseApplication
  gateway_node: GatewayNode
  gbfs_feed: GbfsFeed
  gbfs_reader: GbfsReader
  gbfs_setting: GbfsSetting
  gift_lot: GiftLot
  gift_use: GiftUse
  help_article: HelpArticle
  help_count: HelpCount
  help_reader: HelpReader
  help_version: HelpVersion
  idempotency: Idempotency
  invite: Invite
  invite_code: InviteCode
  invite_guess: InviteGuess
  invoice: Invoice
  invoice_item: InvoiceItem
  ledger_account: LedgerAccount
  ledger_balance: LedgerBalance
  ledger_book: LedgerBook
  ledger_entry: LedgerEntry
  ledger_owner_posting: LedgerOwnerPosting
  ledger_posting: LedgerPosting
  login_ticket: LoginTicket
  marketing_setting: MarketingSetting
  mds_agency: MdsAgency
  mds_agency_day: MdsAgencyDay
  mds_agency_vehicle: MdsAgencyVehicle
  mds_client: MdsClient
  mds_client_day: MdsClientDay
  mds_jurisdiction: MdsJurisdiction
  mds_policy: MdsPolicy
  mds_policy_rule: MdsPolicyRule
  mds_provider: MdsProvider
  mds_push: MdsPush
  meter_closing: MeterClosing
  meter_day: MeterDay
  meter_price: MeterPrice
  meter_tally: MeterTally
  migration: Migration
  money_action: MoneyAction
  notice: Notice
  notice_address: NoticeAddress
  notice_delivery: NoticeDelivery
  notice_rule: NoticeRule
  notice_setting: NoticeSetting
  notice_template: NoticeTemplate
  objection: Objection
  objection_event: ObjectionEvent
  objection_line: ObjectionLine
  objection_split_line: ObjectionSplitLine
  operator: Operator
  operator_area: OperatorArea
  operator_device: OperatorDevice
  operator_passkey: OperatorPasskey
  operator_recovery_code: OperatorRecoveryCode
  operator_totp: OperatorTotp
  order_line: OrderLine
  order_refund: OrderRefund
  park_application: ParkApplication
  partner_key: PartnerKey
  partner_key_day: PartnerKeyDay
  payment: Payment
  payment_event: PaymentEvent
  payment_refund: PaymentRefund
  photo: Photo
  platform_charge: PlatformCharge
  price_version: PriceVersion
  price_withdrawal: PriceWithdrawal
  production_unit: ProductionUnit
  quick_login_used: QuickLoginUsed
  rebalance_plan: RebalancePlan
  rebalance_vehicle: RebalanceVehicle
  recharge_use: RechargeUse
  reconciliation_run: ReconciliationRun
  repair_part: RepairPart
  repair_part_movement: RepairPartMovement
  repair_reason: RepairReason
  report_backlog: ReportBacklog
  report_calendar: ReportCalendar
  report_company: ReportCompany
  report_delivery: ReportDelivery
  report_fleet_company_day: ReportFleetCompanyDay
  report_fresh: ReportFresh
  report_money_company_day: ReportMoneyCompanyDay
  report_money_company_hour: ReportMoneyCompanyHour
  report_money_cursor: ReportMoneyCursor
  report_money_day: ReportMoneyDay
  report_money_hour: ReportMoneyHour
  report_money_month: ReportMoneyMonth
  report_ride_company_day: ReportRideCompanyDay
  report_ride_company_hour: ReportRideCompanyHour
  report_ride_day: ReportRideDay
  report_ride_hour: ReportRideHour
  report_ride_month: ReportRideMonth
  report_schedule: ReportSchedule
  report_stale: ReportStale
  retired_key: RetiredKey
  return_check: ReturnCheck
  return_photo: ReturnPhoto
  return_review: ReturnReview
  reward: Reward
  rework: Rework
  ride_order: RideOrder
  rider: Rider
  rider_app: RiderApp
  rider_balance_cursor: RiderBalanceCursor
  rider_ban: RiderBan
  rider_card: RiderCard
  rider_certificate: RiderCertificate
  rider_day: RiderDay
  rider_deposit: RiderDeposit
  rider_device: RiderDevice
  rider_import: RiderImport
  rider_message: RiderMessage
  rider_rebind: RiderRebind
  rider_reveal: RiderReveal
  rider_tag: RiderTag
  rider_use: RiderUse
  role: Role
  role_permission: RolePermission
  screen_pairing: ScreenPairing
  screening: Screening
  secret_check: SecretCheck
  segment: Segment
  segment_version: SegmentVersion
  service_area: ServiceArea
  service_bill: ServiceBill
  service_bill_line: ServiceBillLine
  session: Session
  setting_change: SettingChange
  sms_code: SmsCode
  sms_failure: SmsFailure
  sms_guess: SmsGuess
  sms_send: SmsSend
  spend_note: SpendNote
  split_bill: SplitBill
  split_cursor: SplitCursor
  split_line: SplitLine
  split_party: SplitParty
  split_reserve: SplitReserve
  split_settlement: SplitSettlement
  split_statement: SplitStatement
  split_statement_period: SplitStatementPeriod
  split_terms: SplitTerms
  sub_account: SubAccount
  task: Task
  task_pay: TaskPay
  task_progress: TaskProgress
  task_result: TaskResult
  task_review: TaskReview
  task_ride: TaskRide
  task_rule_version: TaskRuleVersion
  task_step: TaskStep
  telephone_holiday: TelephoneHoliday
  telephone_line: TelephoneLine
  telephone_version: TelephoneVersion
  ticket: Ticket
  ticket_event: TicketEvent
  track_segment: TrackSegment
  trip: Trip
  unit_event: UnitEvent
  unknown_device: UnknownDevice
  upgrade_action: UpgradeAction
  upgrade_campaign: UpgradeCampaign
  upgrade_step: UpgradeStep
  vehicle: Vehicle
  vehicle_alarm: VehicleAlarm
  vehicle_command: VehicleCommand
  vehicle_event: VehicleEvent
  vehicle_import: VehicleImport
  vehicle_import_row: VehicleImportRow
  vehicle_model: VehicleModel
  vehicle_status: VehicleStatus
  voltage_replay: VoltageReplay
  voltage_replay_vehicle: VoltageReplayVehicle
  voltage_scheme: VoltageScheme
  voltage_version: VoltageVersion
  wall_screen: WallScreen
  webhook: Webhook
  webhook_delivery: WebhookDelivery
  withdrawal: Withdrawal
  withdrawal_day: WithdrawalDay
  withdrawal_step: WithdrawalStep
  withdrawal_terms: WithdrawalTerms
  work_area: WorkArea
  work_area_person: WorkAreaPerson
  work_day: WorkDay
  work_day_counted: WorkDayCounted
}
