package svg

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// This file provides what resvg expects of JavaScript: the functions that wasm-bindgen imports from the module "wbg",
// on a table of values that WebAssembly refers to by number. wazero leaves the upper half of an i32's slot undefined,
// so every parameter is converted by uint32.

// The kinds of values that the engine handles, in addition to Go's string, []byte (a Uint8Array of its own) and error.
type (
	memoryValue struct{} // the engine's memory, or its buffer
	viewValue   struct{ at, length uint32 }
	arrayValue  struct{ items []any }
	iterator    struct{ rest []any }
	stepValue   struct {
		value any
		done  bool
	}
)

// values is the table of one instance. Numbers below firstValue are wasm-bindgen's own constants.
type values struct{ table []any }

const firstValue = 132

func newValues() *values { return &values{table: make([]any, firstValue)} }

func (v *values) add(value any) uint32 {
	v.table = append(v.table, value)
	return uint32(len(v.table) - 1)
}

func (v *values) get(number uint32) any {
	if int64(number) >= int64(len(v.table)) {
		panic(fmt.Errorf("the engine refers to a missing value %d", number))
	}
	return v.table[number]
}

// take returns a value and removes it. Numbers aren't reused: an instance draws one picture.
func (v *values) take(number uint32) any {
	value := v.get(number)
	v.table[number] = nil
	return value
}

type valuesKey struct{}

// imports creates the module "wbg" in runtime.
func imports(ctx context.Context, runtime wazero.Runtime) error {
	const i32 = api.ValueTypeI32
	builder := runtime.NewHostModuleBuilder("wbg")
	for name, f := range hostFunctions {
		params := make([]api.ValueType, f.params)
		for i := range params {
			params[i] = i32
		}
		var results []api.ValueType
		if f.result {
			results = []api.ValueType{i32}
		}
		call := func(ctx context.Context, module api.Module, stack []uint64) {
			h := host{ctx: ctx, module: module, values: ctx.Value(valuesKey{}).(*values)}
			var args [3]uint32
			for i := range f.params {
				args[i] = uint32(stack[i])
			}
			if result := f.call(h, args[0], args[1], args[2]); f.result {
				stack[0] = uint64(result)
			}
		}
		builder = builder.NewFunctionBuilder().
			WithGoModuleFunction(api.GoModuleFunc(call), params, results).Export(name)
	}
	_, err := builder.Instantiate(ctx)
	return err
}

// host is the context of a host function. A panic ends the instance with an error.
type host struct {
	*values
	ctx    context.Context
	module api.Module
}

// hostFunctions have the names that wasm-bindgen gave them in resvg.wasm: another build has other names.
var hostFunctions = map[string]struct {
	params int
	result bool
	call   func(h host, a, b, c uint32) uint32
}{
	"__wbg_new_28c511d9baebfa89": {2, true, func(h host, a, b, _ uint32) uint32 {
		return h.add(errors.New(string(h.read(a, b))))
	}},
	"__wbindgen_throw": {2, false, func(h host, a, b, _ uint32) uint32 {
		panic(errors.New(string(h.read(a, b))))
	}},
	"__wbindgen_memory":             {0, true, func(h host, _, _, _ uint32) uint32 { return h.add(memoryValue{}) }},
	"__wbg_buffer_12d079cc21e14bdb": {1, true, func(h host, _, _, _ uint32) uint32 { return h.add(memoryValue{}) }},
	"__wbg_newwithbyteoffsetandlength_aa4a17c33a06e5cb": {3, true, func(h host, _, b, c uint32) uint32 {
		return h.add(viewValue{b, c})
	}},
	"__wbg_new_63b92bc8671ed464": {1, true, func(h host, a, _, _ uint32) uint32 {
		switch value := h.get(a).(type) {
		case memoryValue: // a view of all of it
			return h.add(viewValue{0, h.module.Memory().Size()})
		case viewValue:
			return h.add(append([]byte(nil), h.read(value.at, value.length)...))
		default:
			panic(fmt.Errorf("can't make an array from %T", value))
		}
	}},
	"__wbg_set_a47bac70306a19a7": {3, false, func(h host, a, b, c uint32) uint32 {
		if view, bytes := as[viewValue](h, a), as[[]byte](h, b); !h.module.Memory().Write(view.at+c, bytes) {
			panic(errOutside)
		}
		return 0
	}},
	"__wbg_length_c20a40f15020d68a": {1, true, func(h host, a, _, _ uint32) uint32 {
		return uint32(len(as[[]byte](h, a)))
	}},
	"__wbg_instanceof_Uint8Array_2b3bbecd033d19f6": {1, true, func(h host, a, _, _ uint32) uint32 {
		_, ok := h.get(a).([]byte)
		return truth(ok)
	}},
	"__wbindgen_object_drop_ref": {1, false, func(h host, a, _, _ uint32) uint32 { h.take(a); return 0 }},
	"__wbindgen_string_new": {2, true, func(h host, a, b, _ uint32) uint32 {
		return h.add(string(h.read(a, b)))
	}},
	"__wbindgen_string_get": {2, false, func(h host, a, b, _ uint32) uint32 {
		at, length := uint32(0), uint32(0)
		if s, ok := h.get(b).(string); ok {
			at, length = h.place(s), uint32(len(s))
		}
		if m := h.module.Memory(); !m.WriteUint32Le(a, at) || !m.WriteUint32Le(a+4, length) {
			panic(errOutside)
		}
		return 0
	}},
	"__wbg_new_16b304a2cfa7ff4a": {0, true, func(h host, _, _, _ uint32) uint32 { return h.add(&arrayValue{}) }},
	"__wbg_push_a5b05aedc7234f9f": {2, true, func(h host, a, b, _ uint32) uint32 {
		array := as[*arrayValue](h, a)
		array.items = append(array.items, h.get(b))
		return uint32(len(array.items))
	}},
	"__wbg_values_839f3396d5aac002": {1, true, func(h host, a, _, _ uint32) uint32 {
		return h.add(&iterator{as[*arrayValue](h, a).items})
	}},
	"__wbg_next_196c84450b364254": {1, true, func(h host, a, _, _ uint32) uint32 {
		it := as[*iterator](h, a)
		if len(it.rest) == 0 {
			return h.add(stepValue{done: true})
		}
		step := stepValue{value: it.rest[0]}
		it.rest = it.rest[1:]
		return h.add(step)
	}},
	"__wbg_done_298b57d23c0fc80c": {1, true, func(h host, a, _, _ uint32) uint32 { return truth(as[stepValue](h, a).done) }},
	"__wbg_value_d93c65011f51a456": {1, true, func(h host, a, _, _ uint32) uint32 {
		return h.add(as[stepValue](h, a).value)
	}},
}

var errOutside = errors.New("the engine refers to an address outside its memory")

func truth(yes bool) uint32 {
	if yes {
		return 1
	}
	return 0
}

// as returns a value of the table, which must have the type.
func as[T any](h host, number uint32) T {
	value, ok := h.get(number).(T)
	if !ok {
		panic(fmt.Errorf("the engine uses a %T as another type", h.get(number)))
	}
	return value
}

// read returns bytes of the engine's memory, without copying them.
func (h host) read(at, length uint32) []byte {
	bytes, ok := h.module.Memory().Read(at, length)
	if !ok {
		panic(errOutside)
	}
	return bytes
}

// place writes a string into memory that the engine allocates for it, and frees later.
func (h host) place(s string) uint32 {
	at, err := place(h.ctx, h.module, s)
	if err != nil {
		panic(err)
	}
	return at
}

func place(ctx context.Context, module api.Module, s string) (uint32, error) {
	found, err := module.ExportedFunction("__wbindgen_malloc").Call(ctx, uint64(len(s)), 1)
	if err != nil {
		return 0, err
	}
	at := uint32(found[0])
	if !module.Memory().WriteString(at, s) {
		return 0, errOutside
	}
	return at, nil
}
