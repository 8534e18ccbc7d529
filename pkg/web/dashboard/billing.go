package dashboard

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/humanize"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

const billingPath = frame.Home + "/billing"

// stripeOrigins are where the forms lead.
const stripeOrigins = "https://checkout.stripe.com https://billing.stripe.com"

var billingPage = newView("billing", "billing.css")

// billing is the page of the account's plan. Everything about money is at Stripe.
type billing struct {
	*frame.Shell
	plans, state, checkout, portal *server.Operation
}

func newBilling(sh *frame.Shell, r *frame.Router) {
	p := &billing{
		Shell: sh, plans: r.Operation("listPlans"), state: r.Operation("getSubscription"),
		checkout: r.Operation("createCheckout"), portal: r.Operation("createPortal"),
	}
	r.Place("Settings", "Billing", billingPath)
	r.Get(billingPath, p.show)
	r.Post(billingPath, p.change)
}

// planCard is a plan with what it allows.
type planCard struct {
	Name, Title string
	Allows      []string
	Current     bool
	// Buy are the periods that the plan is offered by, "month" or "year", and Change means a change at Stripe; Lost is
	// what would be paused then.
	Buy    []gen.PlanPeriods
	Change bool
	Lost   []string
}

// show serves GET /dashboard/billing.
func (p *billing) show(c echo.Context) error { return p.page(c, ui.NewForm()) }

// change handles the forms of the page: both lead to a page at Stripe.
func (p *billing) change(c echo.Context) error {
	form := ui.NewForm()
	if err := form.Read(c); err != nil {
		return err
	}
	of, in := p.portal, server.Input{}
	switch form.Typed("do") {
	case "portal":
	case "buy":
		of = p.checkout
		in.Body = map[string]any{"plan": form.Typed("plan"), "period": form.Typed("period")}
	default:
		return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
	}
	out, err := of.Form(c, in)
	if err != nil {
		form.Refuse(c, err)
		if form.Ours || apperr.CodeOf(err) == apperr.UpstreamFailed {
			form.Error = "Stripe isn’t responding. You haven’t been charged. Try again in a moment."
		}
		return p.page(c, form)
	}
	var page gen.BillingPage
	if err := out.Decode(&page); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, page.Url)
}

// page responds with the page.
func (p *billing) page(c echo.Context, form *ui.Form) error {
	var plans gen.PlanList
	if err := frame.Read(c, p.plans, server.Input{}, &plans); err != nil {
		return err
	}
	me, err := p.User(c)
	if err != nil {
		return err
	}
	state := gen.BillingState{Plan: me.Plan}
	if plans.Purchasable {
		if err := frame.Read(c, p.state, server.Input{}, &state); err != nil {
			return err
		}
	}
	title, deck, primary := billingNews(plans.Purchasable, state, time.Now())
	paid := c.QueryParam("done") == "paid"
	waits := paid && !subscribed(state)
	done := ""
	switch {
	case waits:
		done = "Thank you. Your plan is being set up, which takes a minute at most."
	case paid:
		done = "Thank you. Your plan is set up."
	}
	if !plans.Purchasable && me.Role == gen.RoleNameAdmin {
		deck = "Plans are set by this server’s operator: by you, in Administration under People."
	}
	return p.Render(c, frame.StatusOf(form), billingPage(), frame.Head{
		Title: title, Name: "Billing", Section: "Settings", Sub: "Billing", Deck: deck,
		FormsTo: stripeOrigins, Done: done,
	}, map[string]any{
		"Plans": p.planCards(plans, state), "Form": form, "Path": billingPath, "Sold": plans.Purchasable, "Primary": primary,
		"Portal": state.Subscription != nil, "Waits": waits,
	})
}

// amountOf is a number of things, such as "1 page" or "5,000 pages".
func amountOf(n int, noun string) string {
	_, things, _ := strings.Cut(humanize.Count(n, noun), " ")
	return ui.Number(n) + " " + things
}

// planTitle is the name of a plan as people read it.
func planTitle(name gen.PlanName) string { return humanize.Capital(string(name)) }

// subscribed reports whether an account has a subscription that isn't over: it can be changed, and no other be bought.
func subscribed(s gen.BillingState) bool {
	return s.Subscription != nil && s.Subscription.Status != "canceled" && s.Subscription.Status != "incomplete_expired"
}

// billingNews is the state of the account's plan: a headline, a sentence, and what the one button says; "" for none.
func billingNews(sold bool, s gen.BillingState, now time.Time) (title, deck, primary string) {
	title = planTitle(s.Plan)
	if !sold {
		return title + " plan", "Plans are set by this server’s operator.", ""
	}
	if s.Until != nil {
		title += ", until " + frame.DateWords(time.Time(*s.Until))
	}
	switch sub := s.Subscription; {
	case s.Source == gen.PlanSourceGift:
		return title, "This plan was given to you by the server’s operator.", ""
	case sub == nil:
		return title, "Cards, heroes, icon sets and audits have no monthly limit on any plan.", ""
	case !subscribed(s):
		return title, planTitle(sub.Plan) + " has ended. What it paused is there again on a larger plan.", ""
	case sub.PaymentFailedAt != nil || sub.Status == "unpaid":
		if sub.PaymentFailedAt != nil {
			deck = "The payment of " + frame.DateWords(time.Time(*sub.PaymentFailedAt)) + " failed. "
		}
		if sub.KeptUntil != nil && time.Time(*sub.KeptUntil).After(now) {
			deck += planTitle(sub.Plan) + " stays until " + frame.DateWords(time.Time(*sub.KeptUntil)) + "."
		} else {
			deck += planTitle(sub.Plan) + " is back as soon as a payment succeeds."
		}
		return "Your last payment was declined", deck, "Update payment method"
	case sub.Status == "incomplete":
		return "Your payment isn’t complete", planTitle(sub.Plan) + " begins with it.", "Continue at Stripe"
	case sub.Status == "paused":
		return title, planTitle(sub.Plan) + " is paused at Stripe.", "Continue at Stripe"
	case sub.Ending && sub.PeriodEnd != nil:
		return planTitle(s.Plan) + ", ends on " + frame.DateWords(time.Time(*sub.PeriodEnd)), "Then the account is on Free.",
			"Keep " + planTitle(s.Plan)
	case sub.PeriodEnd != nil && s.Source == gen.PlanSourceSubscription:
		return title, "Paid by the " + sub.Period + ". Renews on " + frame.DateWords(time.Time(*sub.PeriodEnd)) + ".", ""
	}
	return title, "", ""
}

// planCards are the plans with what they allow.
func (p *billing) planCards(plans gen.PlanList, s gen.BillingState) []planCard {
	cards := make([]planCard, len(plans.Items))
	active := subscribed(s)
	for i, of := range plans.Items {
		card := planCard{Name: string(of.Name), Title: planTitle(of.Name), Current: of.Name == s.Plan}
		units := amountOf(of.AiUnits, "AI image") + " a month"
		if of.ProUnits > 0 {
			units += ", " + ui.Number(of.ProUnits) + " of the pro model"
		}
		watches := amountOf(of.Watches, "watched page") + ", weekly"
		if of.WatchEvery == gen.WatchEveryDay {
			watches = amountOf(of.Watches, "watched page") + ", daily if you want"
		}
		if p.Draws {
			card.Allows = []string{units}
		}
		card.Allows = append(card.Allows,
			amountOf(of.RequestsPerMinute, "request")+" a minute", watches,
			amountOf(of.SitePages, "page")+" of a site audited together",
			amountOf(of.Webhooks, "webhook"))
		if of.History && p.Writes {
			card.Allows = append(card.Allows, "AI analyses in the history of audits")
		}
		if plans.Purchasable && !card.Current {
			card.Change = active && (of.Name == gen.PlanNameFree || len(of.Periods) > 0)
			if !active {
				card.Buy = of.Periods
			}
		}
		for _, down := range s.Downgrades {
			if down.Plan == of.Name {
				card.Lost = down.Paused
			}
		}
		cards[i] = card
	}
	return cards
}
