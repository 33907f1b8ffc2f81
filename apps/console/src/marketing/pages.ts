import type { PageMap } from '#kit/pages.ts'

export const marketingPages = {
  '/marketing/activity-config': () => import('./ridingActivities/RidingActivitiesPage.tsx'),
  '/marketing/recharge-activity': () => import('./rechargeActivities/RechargeActivitiesPage.tsx'),
  '/marketing/ad-config': () => import('./ads/AdsPage.tsx'),
  '/marketing/help-config': () => import('./help/HelpPage.tsx'),
  '/marketing/activity-task': () => import('./fixedActivities/FixedActivitiesPage.tsx'),
  '/marketing/activity-task-edit': () => import('./fixedActivities/FixedActivityFormPage.tsx'),
  '/marketing/custom-activity-task': () => import('./taskActivities/TaskActivitiesPage.tsx'),
  '/marketing/custom-activity-task-edit': () => import('./taskActivities/TaskActivityFormPage.tsx'),
  '/marketing/user-rewards': () => import('./userRewards/UserRewardsPage.tsx'),
  '/marketing/coupon': () => import('./coupons/CouponsPage.tsx'),
  '/marketing/coupon-add': () => import('./coupons/CouponFormPage.tsx'),
  '/marketing/invite-activity-task': () => import('./inviteActivities/InviteActivitiesPage.tsx'),
  '/marketing/invite-activity-task-edit': () => import('./inviteActivities/InviteActivityFormPage.tsx'),
  '/marketing/segment': () => import('./segments/SegmentsPage.tsx'),
  '/marketing/segment-edit': () => import('./segments/SegmentFormPage.tsx'),
  '/marketing/campaign': () => import('./campaigns/CampaignsPage.tsx'),
  '/marketing/campaign-edit': () => import('./campaigns/CampaignFormPage.tsx'),
} satisfies PageMap
