import type { HelpContent } from '@saddle/contract/marketing/help.ts'

/** What the help of the demo says. `{picture}` stands for a picture. */
type Article = Omit<HelpContent, 'areaIds'>

export const demoArticles: readonly Article[] = [
  {
    category: 'start',
    title: '怎么扫码开锁',
    body: '打开应用，点**扫码用车**，对准车把或车锁上的二维码。\n\n1. 确认车牌号与屏幕一致\n2. 查看起步价与服务区\n3. 点“开锁”，听到提示音后推车\n\n{picture}\n开锁失败时请换一辆车，失败的开锁不收费。',
    titleEn: 'How to unlock with a scan',
    bodyEn:
      'Open the app, tap **Scan to ride** and point at the code on the handlebar or the lock.\n\n1. Compare the number with the screen\n2. Read the price and the service area\n3. Tap “Unlock” and wait for the sound\n\n{picture}\nIf it fails, take another vehicle. A failed unlock costs nothing.',
  },
  {
    category: 'start',
    title: '注册与实名认证',
    body: '首次用车需要完成手机号验证与实名认证。\n\n- 年满 16 周岁可以骑电动自行车\n- 一个证件只能绑定一个账号\n\n证件已被占用时，请提交**换绑申请**，工作人员会在一个工作日内处理。',
    titleEn: 'Registration and identity check',
    bodyEn:
      'Before the first ride, verify your phone number and identity.\n\n- Riders must be 16 or older\n- One document belongs to one account\n\nIf your document is taken, submit a **rebind request**. Staff answer within one working day.',
  },
  {
    category: 'ride',
    title: '骑行中可以临时停车吗',
    body: '可以。点**临时停车**，车锁会锁上，计费继续。\n\n{picture}\n屏幕显示“已锁车”后再离开；没有显示说明车锁还开着。',
    titleEn: 'Can I stop on the way?',
    bodyEn:
      'Yes. Tap **Pause**: the lock closes and the charge goes on.\n\n{picture}\nLeave only when the screen says “Locked”. Otherwise the lock is still open.',
  },
  {
    category: 'ride',
    title: '车辆故障怎么办',
    body: '请先靠边停车，再在应用里点**故障上报**，选择部位并拍一张照片。\n\n- 骑行不足 3 分钟就报修，本次不收费\n- 我们会尽快派人检修',
    titleEn: 'What if the vehicle is broken?',
    bodyEn:
      'Stop at the side first. Then tap **Report a fault**, choose the part and take a photo.\n\n- If you report within 3 minutes, the ride is free\n- Staff come as soon as possible',
  },
  {
    category: 'return',
    title: '怎么还车',
    body: '请把车停进地图上的**停车点**，摆正车身，再点“还车”。\n\n{picture}\n1. 停进白线内\n2. 关好车锁\n3. 看到“还车成功”后离开',
    titleEn: 'How to return',
    bodyEn:
      'Park at a **parking spot** on the map, upright, then tap “Return”.\n\n{picture}\n1. Park inside the white lines\n2. Close the lock\n3. Leave when you see “Returned”',
  },
  {
    category: 'return',
    title: '为什么收了调度费',
    body: '停在停车点之外、禁停区或服务区之外会收取调度费，用于把车移回。\n\n如果您认为判定有误，请在订单里点**申诉**并附上现场照片。',
    titleEn: 'Why was there a relocation fee?',
    bodyEn:
      'Parking outside parking spots, in a no-parking zone or outside the service area costs a fee, because staff have to bring the vehicle back.\n\nIf you think this is wrong, tap **Dispute** in the order and add a photo.',
  },
  {
    category: 'charge',
    title: '费用怎么计算',
    body: '费用由起步价、时长费和可能的调度费组成，开锁前可以看到全部价格。\n\n优惠的使用顺序：骑行卡、优惠券、赠送余额、充值余额。',
    titleEn: 'How is a ride charged?',
    bodyEn:
      'A charge is the start price, the time and a possible relocation fee. You see all prices before you unlock.\n\nBenefits apply in this order: riding card, coupon, gift balance, balance.',
  },
  {
    category: 'charge',
    title: '怎么开发票',
    body: '在“我的—发票”里选择骑行或充值订单，填写抬头后提交。电子发票一般一个工作日内开出。',
    titleEn: '',
    bodyEn: '',
  },
  {
    category: 'account',
    title: '押金怎么退',
    body: '没有进行中的骑行和待支付订单时，可以随时退押金，原路退回，**2 个工作日内**到账。\n\n有疑问请拨打[客服电话](tel:4008201234)。',
    titleEn: 'How do I get my deposit back?',
    bodyEn:
      'At any time, when no ride goes on and nothing is to be paid. It goes back the way it came within **2 working days**.\n\nQuestions? Call [our line](tel:4008201234).',
  },
  {
    category: 'safety',
    title: '安全骑行须知',
    body: '## 出发前\n- 检查刹车、轮胎和车铃\n- 佩戴头盔\n\n{picture}\n## 路上\n- 走非机动车道，不逆行\n- 不载人，不看手机\n- 雨雪天气请减速',
    titleEn: 'Riding safely',
    bodyEn:
      '## Before you start\n- Check brakes, tyres and bell\n- Wear a helmet\n\n{picture}\n## On the road\n- Keep to the cycle lane\n- No passengers, no phone\n- Slow down in rain and snow',
  },
  {
    category: 'safety',
    title: '发生事故怎么办',
    body: '1. 先确认人员安全，必要时拨打[120](tel:120)\n2. 拍照保留现场\n3. 在应用里点**事故报案**，保险会联系您',
    titleEn: 'What to do after an accident',
    bodyEn:
      '1. Look after people first and call [120](tel:120) if needed\n2. Take photos of the scene\n3. Tap **Report an accident** in the app; the insurer will call you',
  },
  {
    category: 'other',
    title: '春节期间服务安排',
    body: '春节期间车辆正常使用，人工客服时间调整为 9:00–18:00。',
    titleEn: 'Service during the Spring Festival',
    bodyEn: 'Vehicles run as usual. Staff answer from 9:00 to 18:00.',
  },
  {
    category: 'other',
    title: '旧版押金说明',
    body: '本文说明 2025 年以前的押金规则，已由“押金怎么退”代替。',
    titleEn: 'Deposit rules of earlier years',
    bodyEn: 'Rules before 2025, replaced by “How do I get my deposit back?”.',
  },
]
