package archtest

// A room is one package: its rank, and which of ours it imports. Those lie on lower ranks.
type room struct {
	rank       int
	path       string
	mayImport  string // the cellar, internal, is open to all and not named
	neverLinks string // packages outside the module that it must not reach, through others either
}

const (
	gorgonia = "gorgonia.org/gorgonia"
	parquet  = "github.com/parquet-go/parquet-go"
)

// rooms is the house from the bottom up. README.md shows the same ranks.
var rooms = []room{
	{0, "internal/files", "", ""},
	{0, "internal/portable", "", ""},
	{0, "internal/progress", "", ""},
	{0, "internal/setting", "", ""},
	{0, "internal/stats", "", ""},
	{0, "net/kernels", "", ""},
	{0, "net/kernels/winograd", "", ""},
	{0, "env", "", gorgonia + " " + parquet},
	{0, "weights", "", gorgonia + " " + parquet},

	{1, "env/encode", "env", gorgonia + " " + parquet},
	{1, "datasets", "env", gorgonia},
	{1, "net/kernels/inference", "net/kernels net/kernels/winograd", ""},
	{1, "net/kernels/training", "net/kernels", ""},

	{2, "mcts", "env env/encode", gorgonia + " " + parquet},
	{2, "net", "env/encode", gorgonia + " " + parquet},

	{3, "mcts/evaltest", "env/encode mcts", ""},
	{3, "net/fast", "env env/encode net net/kernels net/kernels/inference", gorgonia + " " + parquet},
	{3, "net/graph", "env/encode net net/kernels net/kernels/training", parquet},
	{3, "net/onnx/onnxpb", "", ""},

	{4, "net/onnx", "env env/encode net net/fast net/kernels net/onnx/onnxpb", gorgonia + " " + parquet},
	{4, "selfplay", "datasets env env/encode mcts", gorgonia},
	{4, "train", "datasets env env/encode net net/graph net/kernels net/kernels/training", ""},

	{5, "net/onnx/ort", "net/onnx", gorgonia},
	{5, "selfplay/matchfile", "", gorgonia},
	{5, "selfplay/netagent", "datasets env env/encode mcts net net/fast net/kernels selfplay", gorgonia},
	{5, "selfplay/uciengine", "datasets env mcts selfplay", gorgonia},
	{5, "selfplay/uciengine/enginetest", "env", gorgonia},
	{5, "selfplay/uciengine/fairy", "", gorgonia},

	{6, "selfplay/arena", "datasets env mcts selfplay selfplay/matchfile", gorgonia},
	{6, "train/loop", "datasets env env/encode mcts net net/fast net/kernels selfplay selfplay/matchfile selfplay/netagent selfplay/uciengine train weights", ""},

	{7, "configs", "selfplay selfplay/uciengine train/loop", ""},

	{8, "cmd/internal/archtest", "", ""},
	{8, "cmd/internal/behaviour", "env mcts net net/fast net/kernels", gorgonia + " " + parquet},
	{8, "cmd/internal/level", "mcts", gorgonia + " " + parquet},
	{8, "cmd/internal/report", "", gorgonia + " " + parquet},
	{8, "cmd/internal/textboard", "env", gorgonia + " " + parquet},

	{9, "cmd/internal/bench", "cmd/internal/behaviour datasets env env/encode mcts net net/fast net/kernels net/onnx net/onnx/ort " +
		"selfplay selfplay/netagent selfplay/uciengine/fairy train train/loop", ""},
	{9, "cmd/internal/play", "cmd/internal/textboard env", gorgonia + " " + parquet},
	{9, "cmd/internal/uci", "cmd/internal/level cmd/internal/textboard env mcts", gorgonia + " " + parquet},

	{10, "cmd/synochess", "cmd/internal/bench cmd/internal/level cmd/internal/play cmd/internal/report cmd/internal/textboard cmd/internal/uci configs datasets " +
		"env env/encode mcts net net/fast net/kernels net/onnx net/onnx/ort selfplay selfplay/arena selfplay/matchfile selfplay/netagent " +
		"selfplay/uciengine selfplay/uciengine/fairy train/loop", ""},
}
